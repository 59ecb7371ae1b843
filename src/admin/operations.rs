//! The list of all operations.

use futures_util::future::BoxFuture;

use super::AdminError;
use super::access::{GetSetupLink, MakeSignInLink, MakeToken, Reinstate};
use super::assistants::{
    AddAssistant, ChooseUpstream, ListAssistants, RevokeAssistant, RotateAssistant,
};
use super::backup::Backup;
use super::children::{
    AddChild, ChooseRetention, LinkChild, ListChildren, RemoveChild, RenameChild, UnlinkChild,
};
use super::export::Export;
use super::guardians::{
    AddGuardian, ChangeEmail, ListGuardians, RemoveGuardian, SignOutGuardian, TestChannels,
};
use super::operation::{JsonAnswer, Listed, Operation, Reports, Runner};
use super::reviewer::{FindReviewer, TestReviewer};
use super::seed::Seed;
use super::state::{
    AcceptClock, CheckReady, CountNotKept, CountNotReviewed, FindTraces, GetBackupState,
    GetClockState, GetPublicUrl, ListForwardingFaults, ListNotArriving,
};
use super::target::OpenStore;
use super::tries::TryRules;
use super::upstreams::{AddUpstream, ListUpstreams, RemoveUpstream, TestUpstream};
use super::verify::Verify;
use crate::app::App;

const NO_SUCH_COMMAND: &str = "The running server has no such command.";

const NOT_ITS_JSON: &str = "The body is not the JSON that this command takes.";

macro_rules! operations {
    ($($target:ty, allowed_on_copy: $allowed_on_copy:literal => $($operation:ident)*;)*) => {
        pub const NAMES: &[&str] = &[$($($operation::NAME),*),*];

        $($(impl Listed for $operation {
            const NAME: &'static str = stringify!($operation);
            const ALLOWED_ON_COPY: bool = $allowed_on_copy;
            type On = $target;
        })*)*

        /// Runs the operation of this name.
        pub fn run_named<R: Runner>(
            runner: R,
            name: &str,
            body: Vec<u8>,
            reports: Reports,
        ) -> BoxFuture<'static, JsonAnswer> {
            match name {
                $($($operation::NAME => run::<$operation, R>(runner, body, reports),)*)*
                _ => Box::pin(std::future::ready(Err(AdminError::new(NO_SUCH_COMMAND)))),
            }
        }
    };
}

operations! {
    App, allowed_on_copy: false =>
        AddGuardian ChangeEmail SignOutGuardian RemoveGuardian
        AddChild RenameChild LinkChild UnlinkChild ChooseRetention RemoveChild
        AddAssistant RotateAssistant RevokeAssistant ChooseUpstream
        AddUpstream RemoveUpstream
        MakeSignInLink MakeToken Reinstate
        TestReviewer TryRules Seed AcceptClock;
    App, allowed_on_copy: true =>
        ListGuardians ListChildren ListAssistants ListUpstreams
        TestUpstream FindReviewer TestChannels Export GetPublicUrl CheckReady
        GetSetupLink GetClockState;
    OpenStore, allowed_on_copy: true =>
        Backup Verify GetBackupState FindTraces
        CountNotKept CountNotReviewed ListNotArriving ListForwardingFaults;
}

fn run<O: Operation, R: Runner>(
    runner: R,
    body: Vec<u8>,
    reports: Reports,
) -> BoxFuture<'static, JsonAnswer> {
    Box::pin(async move {
        let operation = O::from_body(body).ok_or_else(|| AdminError::new(NOT_ITS_JSON))?;
        runner.run(operation, reports).await
    })
}
