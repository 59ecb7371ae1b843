//! One consent: what it is for, and who agreed to it.

use super::assessing::Model;
use super::store::Consent;
use crate::children::agreements::Agreement;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;

impl Consent {
    pub fn new(by: &GuardianId, sign_out_count: u32, at: Timestamp, model: &Model) -> Self {
        Self {
            by: by.clone(),
            at,
            model: model.name.clone(),
            host: model.host(),
            url: model.upstream.url.to_string(),
            server_added_at: model.upstream.added_at,
            agreement: Agreement::default(),
            since: at,
            sign_out_count,
            ended_at: None,
        }
    }

    /// Whether the guardian switched it on, or agreed to it.
    pub fn is_confirmed_by(&self, guardian: &GuardianId) -> bool {
        self.by == *guardian || self.agreement.is_confirmed_by(guardian)
    }

    pub fn is_for(&self, model: &Model) -> bool {
        self.ended_at.is_none()
            && self.model == model.name
            && self.host == model.host()
            && self.url == model.upstream.url.to_string()
            && self.server_added_at == model.upstream.added_at
    }
}
