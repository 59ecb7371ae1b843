//! Certificates of other servers: when they expire, and what is wrong with them.

use chrono::NaiveDateTime;
use rustls::CertificateError;

use crate::kernel::host::clock::Timestamp;

/// The ASN.1 tags of the elements that are read (X.690).
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// Returns when a certificate expires.
pub fn valid_until(certificate: &[u8]) -> Option<Timestamp> {
    validity(certificate).map(|(_, until)| until)
}

/// Returns from when until when a certificate is valid (RFC 5280, section 4.1).
pub fn validity(certificate: &[u8]) -> Option<(Timestamp, Timestamp)> {
    let (_, whole, _) = element(certificate)?;
    let (_, signed, _) = element(whole)?;
    let (first, _, after_first) = element(signed)?;
    // Version 1 certificates omit the version.
    let rest = if first == VERSION {
        after_first
    } else {
        signed
    };
    let (_serial, rest) = skip(rest)?;
    let (_algorithm, rest) = skip(rest)?;
    let (_issuer, rest) = skip(rest)?;
    let (tag, validity, _) = element(rest)?;
    if tag != SEQUENCE {
        return None;
    }
    let (kind, not_before, rest) = element(validity)?;
    let from = moment(kind, not_before)?;
    let (kind, not_after, _) = element(rest)?;
    Some((from, moment(kind, not_after)?))
}

fn moment(kind: u8, text: &[u8]) -> Option<Timestamp> {
    let text = str::from_utf8(text).ok()?;
    let year = match kind {
        GENERALIZED_TIME => "",
        // Two-digit years: 50 and above are 19xx.
        UTC_TIME if text < "50" => "20",
        UTC_TIME => "19",
        _ => return None,
    };
    let moment = NaiveDateTime::parse_from_str(&format!("{year}{text}"), "%Y%m%d%H%M%SZ");
    Some(moment.ok()?.and_utc().into())
}

/// Splits off the first element: returns its tag, its content and the rest.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&short, rest) = rest.split_first()?;
    let (length, rest) = match short {
        0..=0x7f => (usize::from(short), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
            let length = digits
                .iter()
                .fold(0, |length, digit| length << 8 | usize::from(*digit));
            (length, rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

fn skip(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    element(bytes).map(|(_, content, rest)| (content, rest))
}

/// Whether a certificate was refused only because it is a CA certificate that a server uses itself, as self-signed
/// certificates often are. That it is valid now was checked before.
pub fn is_own_authority(error: &rustls::Error) -> bool {
    let rustls::Error::InvalidCertificate(CertificateError::Other(other)) = error else {
        return false;
    };
    other.0.to_string() == "CaUsedAsEndEntity"
}

/// Describes in a sentence what is wrong with a TLS connection. `whose` is such as "The mail server's".
pub fn complaint(whose: &str, error: &rustls::Error) -> String {
    use CertificateError as Wrong;
    let rustls::Error::InvalidCertificate(wrong) = error else {
        return match error {
            rustls::Error::PeerIncompatible(_) | rustls::Error::AlertReceived(_) => {
                format!("{whose} TLS and Porchlight's (1.2 and 1.3) have nothing in common.")
            }
            rustls::Error::InvalidMessage(_) => {
                format!("{whose} port does not speak TLS from the first byte.")
            }
            _ => format!("{whose} connection could not be protected."),
        };
    };
    if is_own_authority(error) {
        return format!(
            "{whose} certificate is one that its owner made (CA:TRUE), and not one that this machine trusts."
        );
    }
    let what = match wrong {
        Wrong::Expired | Wrong::ExpiredContext { .. } => "has expired",
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => {
            "is not valid yet; is the clock of this machine right?"
        }
        Wrong::NotValidForNameContext { presented, .. } if presented.is_empty() => {
            "names no host (no subject alternative name)"
        }
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "is for another name",
        Wrong::UnknownIssuer => "was issued by nobody this machine trusts",
        Wrong::Revoked => "was revoked",
        Wrong::UnsupportedSignatureAlgorithmContext { .. }
        | Wrong::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            "is signed in a way that is not safe any more, or too new"
        }
        Wrong::BadSignature => {
            "is signed by another key than the one that this machine trusts under that name; was it made anew?"
        }
        Wrong::BadEncoding => "cannot be read",
        _ => "is not valid",
    };
    let end = if what.ends_with('?') { "" } else { "." };
    format!("{whose} certificate {what}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificates_end_is_read_in_both_forms_of_a_date() {
        for (year, expected) in [
            (2049, "2049-03-02T00:00:00Z"),
            (2051, "2051-03-02T00:00:00Z"),
        ] {
            let mut made = rcgen::CertificateParams::new(vec!["nas.local".to_owned()]).unwrap();
            made.not_after = rcgen::date_time_ymd(year, 3, 2);
            let key = rcgen::KeyPair::generate().unwrap();
            let certificate = made.self_signed(&key).unwrap();

            let from = Timestamp::parse("1975-01-01T00:00:00Z").unwrap();
            assert_eq!(
                validity(certificate.der()),
                Some((from, Timestamp::parse(expected).unwrap()))
            );
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_end() {
        for bytes in [
            &b""[..],
            b"0",
            b"\x30\x84\xff\xff\xff\xff",
            b"\x30\x80\x00\x00",
            &[0x30; 40],
        ] {
            assert_eq!(valid_until(bytes), None, "{bytes:?}");
        }
    }
}
