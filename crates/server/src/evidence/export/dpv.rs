//! ISO/IEC TS 27560:2023 consent records in the Data Privacy Vocabulary, as JSON-LD. The context is
//! part of the file, so that reading it requires no request.
//!
//! The records lack what only the operator knows about a controller (address, contact, descriptions
//! of purposes, recipients, storage). The standard permits keeping these separately and joining
//! them by the identifiers.

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, ReceiptKey, Term};
use musette_store::ExportedConsent;
use serde_json::{Value, json};

const CONTEXT: &str = r#"{"@context": {
  "dpv": "https://w3id.org/dpv#",
  "dct": "http://purl.org/dc/terms/",
  "xsd": "http://www.w3.org/2001/XMLSchema#",
  "musette": "urn:musette:",
  "dct:created": {"@type": "xsd:dateTime"},
  "dct:date": {"@type": "xsd:dateTime"},
  "dct:conformsTo": {"@type": "@id"},
  "dpv:hasConsentStatus": {"@type": "@id"},
  "dpv:hasLegalBasis": {"@type": "@id"},
  "dct:isPartOf": {"@type": "@id"}
},
"@graph": ["#;

pub fn begin(out: &mut Vec<u8>) {
    out.extend(CONTEXT.as_bytes());
}

pub fn end(out: &mut Vec<u8>) {
    out.extend(b"\n]}\n");
}

/// Returns the status: refusing after accepting is a withdrawal, accepting again is a renewal.
fn status(accepted: bool, accepted_before: bool) -> &'static str {
    match (accepted, accepted_before) {
        (true, false) => "dpv:ConsentGiven",
        (true, true) => "dpv:RenewedConsentGiven",
        (false, false) => "dpv:ConsentRefused",
        (false, true) => "dpv:ConsentWithdrawn",
    }
}

pub fn record(
    consent: &ExportedConsent,
    catalog: &Catalog,
    receipts: &ReceiptKey,
    origin: &str,
) -> Value {
    let term = catalog.get(consent.term_id);
    let variant =
        term.and_then(|term| term.variants.iter().find(|variant| variant.sha256 == consent.sha256));
    let person = if consent.user_id.is_empty() {
        // An applicant or an erased person has no identifier.
        json!({"@type": "dpv:DataSubject"})
    } else {
        json!({"@type": "dpv:DataSubject", "dct:identifier": consent.user_id})
    };
    let id = format!("musette:consent:{}:{}", consent.entry_id, consent.position);
    json!({
        "@id": id,
        "@type": "dpv:ConsentRecord",
        "dct:conformsTo": "https://w3id.org/dpv/schema/dpv-27560#record",
        "dct:identifier": id,
        "dct:created": Instant::from_millis(consent.recorded_at).to_string(),
        "dct:isPartOf": format!("musette:log:{origin}"),
        "dct:source": receipts.id(consent.seq, &consent.entry_id),
        "dpv:hasDataSubject": person,
        "dpv:hasDataController": {"@type": "dpv:DataController", "dct:identifier": origin},
        "dpv:hasNotice": {
            "@id": format!("musette:document:{}", consent.sha256),
            "@type": "dpv:ConsentNotice",
            "dct:identifier": consent.term_id.to_string(),
            "dct:hasVersion": term.map_or_else(|| consent.version.to_string(), Term::version_name),
            "dct:title": variant.map(|variant| variant.title.as_str()),
                        "dct:language": variant.map(|variant| variant.locale.as_str()),
        },
        "dpv:hasPurpose": {"@type": "dpv:Purpose", "dct:title": consent.kind},
        "dpv:hasLegalBasis": "dpv:Consent",
        "dpv:hasConsentStatus": status(consent.accepted, consent.accepted_before),
        "dpv:isIndicatedAtTime": {
            "@type": "xsd:dateTime",
            "@value": Instant::from_millis(consent.consented_at).to_string(),
        },
        "dpv:hasIndicationMethod": consent.method,
        "dpv:hasConsentControl": "dpv:WithdrawConsent",
        "dct:provenance": consent.evidence,
    })
}
