//! A program of the administrator's that changes records: `set|clear A|TXT NAME VALUE`.
//!
//! It is started without a shell and with an empty environment. `set` must add the value to the record's and return once the name
//! servers answer with it; `clear` must remove this value alone.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Command;
use tokio::sync::Mutex;

use super::{Answer, DnsProblem, DnsProvider, PointsTo};
use crate::kernel::host::https_name::HttpsName;

const DEADLINE: Duration = Duration::from_secs(60);

/// Programs run one after the other: two that change records at once might undo each other's change.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// A program that runs, with the programs that it started. They are killed when it is dropped, as when the server ends.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

pub struct Hook {
    name: HttpsName,
    program: PathBuf,
    deadline: Duration,
}

impl Hook {
    pub fn new(name: HttpsName, program: PathBuf) -> Self {
        Self {
            name,
            program,
            deadline: DEADLINE,
        }
    }

    async fn run(&self, verb: &str, kind: &str, name: &str, value: &str) -> Result<(), DnsProblem> {
        let _turn = ONE_AT_A_TIME.lock().await;
        let started = Command::new(&self.program)
            .args([verb, kind, name, value])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            // What it prints may hold a token.
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn();
        let mut child = started.map_err(|_| DnsProblem::HookNotStarted)?;
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let mut group = Group(id);
        let Ok(ended) = tokio::time::timeout(self.deadline, child.wait()).await else {
            drop(group);
            let _ = child.wait().await;
            return Err(DnsProblem::HookTimedOut);
        };
        // Its number may be another group's from now on.
        group.0 = None;
        match ended {
            Ok(status) if status.success() => Ok(()),
            _ => Err(DnsProblem::HookFailed),
        }
    }
}

impl DnsProvider for Hook {
    fn set_address(&self, address: Ipv4Addr, former: Option<Ipv4Addr>) -> Answer<'_, ()> {
        Box::pin(async move {
            let name = self.name.as_str();
            self.run("set", "A", name, &address.to_string()).await?;
            match former.filter(|former| *former != address) {
                Some(former) => self.run("clear", "A", name, &former.to_string()).await,
                None => Ok(()),
            }
        })
    }

    fn points_to(&self) -> Answer<'_, PointsTo> {
        Box::pin(async { Ok(PointsTo::Unknown) })
    }

    fn add_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move { self.run("set", "TXT", &self.name.challenge(), value).await })
    }

    fn clear_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move {
            self.run("clear", "TXT", &self.name.challenge(), value)
                .await
        })
    }

    fn propagation_time(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn hook(folder: &tempfile::TempDir, script: &str) -> Hook {
        let program = folder.path().join("hook");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        Hook::new("blue-lamp.dedyn.io".parse().unwrap(), program)
    }

    #[tokio::test]
    async fn a_program_gets_its_arguments_and_no_environment() {
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().join("said");
        let script = format!(
            "#!/bin/sh\necho \"$@\" >> {0}\nenv | grep -v -e ^PWD= -e ^SHLVL= -e ^_= >> {0}\nexit 0\n",
            said.display()
        );
        let hook = hook(&folder, &script);

        let [new, old] = ["192.168.1.20", "192.168.1.7"].map(|it| it.parse().unwrap());
        hook.set_address(new, Some(old)).await.unwrap();
        hook.add_challenge("-n $(reboot)").await.unwrap();
        hook.clear_challenge("-n $(reboot)").await.unwrap();

        assert_eq!(
            fs::read_to_string(said).unwrap(),
            "set A blue-lamp.dedyn.io 192.168.1.20\n\
             clear A blue-lamp.dedyn.io 192.168.1.7\n\
             set TXT _acme-challenge.blue-lamp.dedyn.io -n $(reboot)\n\
             clear TXT _acme-challenge.blue-lamp.dedyn.io -n $(reboot)\n"
        );
    }

    #[tokio::test]
    async fn when_the_server_ends_what_a_program_started_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let number = folder.path().join("number");
        let script = format!(
            "#!/bin/sh\nsleep 600 &\necho $! > {0}.new\nmv {0}.new {0}\nwait\n",
            number.display()
        );
        let hook = hook(&folder, &script);
        let running = tokio::spawn(async move { hook.add_challenge("v").await });
        while !number.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let child = fs::read_to_string(number).unwrap();
        let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        assert!(state().is_ok());

        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());

        // One that was killed is a zombie until its new parent has waited for it.
        let is_gone = || state().map_or(true, |stat| stat.contains(") Z "));
        while !is_gone() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn a_program_that_fails_hangs_or_isnt_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let failing = hook(&folder, "#!/bin/sh\nexit 3\n");
        assert_eq!(
            failing.add_challenge("v").await,
            Err(DnsProblem::HookFailed)
        );

        let mut hanging = hook(&folder, "#!/bin/sh\nsleep 600\n");
        hanging.deadline = Duration::from_millis(50);
        assert_eq!(
            hanging.add_challenge("v").await,
            Err(DnsProblem::HookTimedOut)
        );

        let name = "blue-lamp.dedyn.io".parse().unwrap();
        let missing = Hook::new(name, folder.path().join("missing"));
        assert_eq!(
            missing.add_challenge("v").await,
            Err(DnsProblem::HookNotStarted)
        );
    }
}
