//! Deliveries: throughput of durable writes.

use super::super::baseline;
use super::super::data::{BoxError, READ_CHILD};
use super::super::load::{Delivery, Load, Requests, request};
use super::super::server::ServerProcess;
use super::super::table::{Series, Target, per_second, thousands};
use super::{Benchmark, Credentials};
use porchlight::kernel::store::Store;

/// Messages per batch.
pub(super) const BATCH: u32 = 100;

/// Connections that deliver batches.
pub(super) const BATCH_WRITERS: u32 = 4;

/// Sessions that receive messages.
const SESSIONS: u32 = 64;

/// Bytes per append of the append + fdatasync baseline.
const RECORD_BYTES: usize = 256;

impl Benchmark {
    pub(super) fn measure_deliveries(
        &mut self,
        server: &ServerProcess,
        credentials: &Credentials,
    ) -> Result<(), BoxError> {
        let writers = [1, 16, 64];
        let headers = || credentials.assistant.clone();
        let mut synced = Series::default();
        let mut series = <[Series; 3]>::default();
        for _ in 0..self.options.rounds {
            let seconds = self.options.seconds;
            synced.push(baseline::append_and_sync(
                &self.served,
                RECORD_BYTES,
                seconds,
            )?);
            for (writers, series) in writers.iter().zip(&mut series) {
                series.push(self.deliver(server, headers(), READ_CHILD, 1, *writers)?);
            }
        }
        for ((writers, target), series) in writers.iter().zip([0.4, 2.3, 2.5]).zip(&series) {
            let label = match writers {
                1 => "durable delivery of one message, 1 writer, vs. append + fdatasync".to_owned(),
                _ => format!("same, {writers} writers"),
            };
            let throughput = format!(
                "{}, append + fdatasync {}",
                per_second(series.median()),
                per_second(synced.median())
            );
            let ratio = series.ratio_to(&synced);
            let target = Target::AtLeast(target);
            self.table.add(label, throughput, ratio, "×", target);
        }
        Ok(())
    }

    pub(super) async fn measure_batches(
        &mut self,
        server: &ServerProcess,
        credentials: &Credentials,
    ) -> Result<(), BoxError> {
        let store = Store::open(&self.store_only)?;
        let (batch, writers) = (u64::from(BATCH), u64::from(BATCH_WRITERS));
        let (mut served, mut store_only) = (Series::default(), Series::default());
        for _ in 0..self.options.rounds {
            let seconds = self.options.seconds;
            store_only.push(baseline::commit_batches(&store, batch, writers, seconds).await?);
            let headers = credentials.assistant.clone();
            served.push(self.deliver(server, headers, READ_CHILD, BATCH, BATCH_WRITERS)?);
        }
        store.close();
        let throughput = format!(
            "{} messages/s, store alone {}",
            thousands(served.median() * f64::from(BATCH)),
            thousands(store_only.median() * f64::from(BATCH))
        );
        let label = "durable delivery of batches of 100, 4 writers, vs. the store alone";
        let ratio = served.ratio_to(&store_only);
        let target = Target::AtLeast(0.5);
        self.table.add(label, throughput, ratio, "×", target);
        Ok(())
    }

    /// Delivers new messages and returns the requests per second.
    pub(super) fn deliver(
        &mut self,
        server: &ServerProcess,
        headers: Vec<String>,
        child: u64,
        batch: u32,
        writers: u32,
    ) -> Result<f64, BoxError> {
        self.deliveries += 1;
        let load = Load {
            seconds: self.options.seconds,
            connections: writers,
            threads: 1,
            headers,
            requests: Requests::Deliver(Delivery {
                batch,
                sessions: SESSIONS.min(writers),
                child,
                id_prefix: format!("run-{}", self.deliveries),
            }),
        };
        Ok(load.run(server.address, "/")?.throughput)
    }
}

/// Opens the sessions that receive messages.
pub(super) fn open_sessions(
    server: &ServerProcess,
    credentials: &Credentials,
) -> Result<(), BoxError> {
    for number in 0..SESSIONS {
        let path = "/api/assistant/deliveries";
        let body = format!(
            "{{\"session\":\"bench-{number}\",\"child_id\":{READ_CHILD},\"topic\":\"Speed\"}}"
        );
        let headers = &credentials.assistant;
        let response = request(server.address, "POST", path, headers, &body)?;
        if response.status != 200 {
            return Err(format!("{path} was answered with {}", response.status).into());
        }
    }
    Ok(())
}
