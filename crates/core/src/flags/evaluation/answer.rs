//! Writes results as JSON, from parts that were written when the snapshot was built.

use super::{ApiVersion, Evaluation, Group, TraceStep};
use crate::flags::context::Context;
use crate::flags::json::json_text;
use crate::flags::snapshot::Variation;

impl Evaluation<'_> {
    /// Writes the result as one JSON object.
    #[inline]
    pub fn write(&self, version: ApiVersion, out: &mut Vec<u8>) {
        match self.ready_for(version) {
            Some(number) => out.extend_from_slice(self.snapshot.answers.object(number)),
            None => self.assemble(version, out),
        }
    }

    /// Writes the result as a member of an object, with the flag's key as its name.
    #[inline]
    pub fn write_member(&self, version: ApiVersion, out: &mut Vec<u8>) {
        match self.ready_for(version) {
            Some(number) => out.extend_from_slice(self.snapshot.answers.member(number)),
            None => {
                out.extend_from_slice(self.snapshot.answers.name(self.flag.whole));
                self.assemble(version, out);
            }
        }
    }

    #[inline]
    fn ready_for(&self, version: ApiVersion) -> Option<u32> {
        self.whole.filter(|_| version == ApiVersion::V3 && self.groups.bits == 0)
    }

    #[inline(never)]
    fn assemble(&self, version: ApiVersion, out: &mut Vec<u8>) {
        match version {
            ApiVersion::V1 => {
                self.write_head(version, out);
                out.push(b'}');
            }
            ApiVersion::V2 => {
                self.write_head(version, out);
                let names = self.flag.tail.as_bytes();
                out.extend_from_slice(&names[..self.flag.tail_of_v2 as usize]);
                out.push(b'}');
            }
            ApiVersion::V3 => self.write_v3(out),
        }
    }

    pub(in crate::flags) fn write_v3(&self, out: &mut Vec<u8>) {
        self.write_head(ApiVersion::V3, out);
        out.extend_from_slice(self.flag.tail.as_bytes());
        self.write_tail(out);
    }

    /// Writes the result with `trace`, and with the values of `relevantContext` instead of only
    /// names.
    pub fn write_debug(
        &self,
        version: ApiVersion,
        context: &Context<'_>,
        trace: &[TraceStep],
        out: &mut Vec<u8>,
    ) {
        self.write_head(version, out);
        if version != ApiVersion::V1 {
            out.extend_from_slice(br#","relevantContext":{"#);
            let mut comma = "";
            for slot in &self.flag.relevant {
                let raw = context.raw(*slot);
                let value = if raw.is_empty() { "null" } else { raw };
                let name = json_text(self.snapshot.attribute(*slot));
                out.extend_from_slice(format!("{comma}{name}:{value}").as_bytes());
                comma = ",";
            }
            out.push(b'}');
        }
        write_trace(trace, out);
        if version == ApiVersion::V3 {
            out.extend_from_slice(br#","holdoutsEvaluations":["#);
            self.write_tail(out);
        } else {
            out.push(b'}');
        }
    }

    #[inline]
    fn write_head(&self, version: ApiVersion, out: &mut Vec<u8>) {
        let head = self.compiled().map_or(br#"{"variation":null"#.as_slice(), Variation::head);
        out.extend_from_slice(head);
        out.extend_from_slice(match version {
            ApiVersion::V1 => self.explanation.json_alone(),
            ApiVersion::V2 | ApiVersion::V3 => self.explanation.json(),
        });
    }

    /// Writes the rest of the result, from inside the list of holdouts.
    #[inline]
    fn write_tail(&self, out: &mut Vec<u8>) {
        if self.groups.bits != 0 {
            self.write_holdouts(out);
        }
        let Some(variation) = self.compiled() else {
            out.extend_from_slice(br#"],"variationKey":null"#);
            out.extend_from_slice(self.snapshot.version_json.as_bytes());
            return;
        };
        let mut tail = variation.tail();
        if let Some(part) = &self.part {
            out.extend_from_slice(b"],");
            let experiment = part.experiment;
            let is_own = part.unit_kind == experiment.unit;
            let json = if is_own { &experiment.json } else { &experiment.fallback_json };
            out.extend_from_slice(json.as_bytes());
            out.extend_from_slice(variation.key_json().as_bytes());
            let sticky: &[u8] =
                if part.is_sticky { br#","sticky":true}"# } else { br#","sticky":false}"# };
            out.extend_from_slice(sticky);
            // The list of holdouts is already closed.
            tail = &tail[1..];
        }
        out.extend_from_slice(tail);
    }

    #[cold]
    fn write_holdouts(&self, out: &mut Vec<u8>) {
        let mut is_first = true;
        for (index, number) in (0..).zip(&self.flag.holdouts) {
            let Some(group) = self.groups.group(index) else { continue };
            if !is_first {
                out.push(b',');
            }
            is_first = false;
            let holdout = &self.snapshot.holdouts[usize::from(*number)];
            out.extend_from_slice(holdout.json.as_bytes());
            let rest: &[u8] = match (group, self.groups.decided == Some(index)) {
                (Group::HeldOut, true) => br#"HELD_OUT","applied":true}"#,
                (Group::HeldOut, false) => br#"HELD_OUT","applied":false}"#,
                (Group::Comparison, _) => br#"COMPARISON","applied":false}"#,
                (Group::General, _) => br#"GENERAL","applied":false}"#,
            };
            out.extend_from_slice(rest);
        }
    }
}

fn write_trace(trace: &[TraceStep], out: &mut Vec<u8>) {
    out.extend_from_slice(br#","trace":["#);
    let mut comma = "";
    for TraceStep { step, cond, got, ok } in trace {
        let (step, cond) = (json_text(step), json_text(cond));
        let got = got.as_deref().unwrap_or("null");
        let item = format!(r#"{comma}{{"step":{step},"cond":{cond},"got":{got},"ok":{ok}}}"#);
        out.extend_from_slice(item.as_bytes());
        comma = ",";
    }
    out.push(b']');
}

/// Writes the result for a flag that is not in the snapshot. It is the same in all versions so far.
pub fn write_unknown(_: ApiVersion, out: &mut Vec<u8>) {
    out.extend_from_slice(
        br#"{"variation":null,"explanation":{"kind":"ERROR","from":"error:FLAG_NOT_FOUND"}}"#,
    );
}
