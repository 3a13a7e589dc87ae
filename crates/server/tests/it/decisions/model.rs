//! Random calls, compared with the table of transitions in `core`.

use musette_core::decisions::{
    Caller, Evaluation, Figures, Reason, Refusal, Request, Requested, Rules, Status, System, judge,
};
use musette_core::instant::Instant;
use serde_json::{Value, json};

use super::work::{OWN, WORK, Work, creation, uuid};
use crate::request::Answer;
use crate::store::Engine;

on_both!(random_calls_follow_the_table);

/// Calls on each engine. `MUSETTE_MODEL_STEPS` sets another number.
const STEPS: usize = 1_500;

/// A generator with a printed seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 1).unwrap_or(0) % n
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The expected state of one evaluation, and who made its transitions.
struct Expected {
    state: Evaluation,
    actors: Vec<&'static str>,
}

/// A caller with the name of their account.
type Who = (&'static str, bool, bool);
const PEOPLE: [Who; 5] = [
    ("d1", true, false),
    ("v1", false, true),
    ("v2", false, true),
    ("a1", true, true),
    ("key", true, false),
];

fn caller((name, is_dispatcher, is_reviewer): Who) -> Caller {
    if name == "key" {
        return Caller::Key;
    }
    Caller::Person { subject: name.into(), is_dispatcher, is_reviewer }
}

fn body(request: &Request) -> Value {
    let mut body = json!({});
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            body[name] = value;
        }
    };
    if let Requested::To(to) = request.requested {
        set("to", Some(json!(to.as_str())));
    }
    set("version", request.version.map(|version| json!(version)));
    set("figures", request.figures.map(|figures| json!(figures)));
    set("reasons", request.reasons.as_ref().map(|reasons| json!(reasons)));
    set("message", request.message.as_ref().map(|text| json!(text)));
    set("statement", request.statement.as_ref().map(|text| json!(text)));
    set("system", request.system.as_ref().map(|system| json!(system)));
    body
}

/// Returns a request in which each part may be missing, too short or complete.
fn request(random: &mut Random, requested: Requested, version: i64) -> Request {
    let text = |random: &mut Random| match random.below(8) {
        0 => None,
        1 => Some("short".to_owned()),
        2 => Some("twelve chars".to_owned()),
        _ => Some("a text with more than twenty characters".to_owned()),
    };
    let reason = Reason { code: "late".into(), text: [("en".into(), "Late".into())].into() };
    Request {
        requested,
        version: Some(if random.below(12) == 0 { version + 1 } else { version }),
        figures: (random.below(3) > 0)
            .then(|| Figures { worked_minutes: Some(7), ..Figures::default() }),
        reasons: match random.below(4) {
            0 => None,
            1 => Some(Vec::new()),
            _ => Some(vec![reason]),
        },
        message: text(random),
        statement: text(random),
        system: (random.below(6) > 0)
            .then(|| System { name: "roster".into(), version: "7".into() }),
        message_id: "m".into(),
    }
}

struct Model<'a> {
    work: &'a Work,
    all: Vec<(String, Expected)>,
    counts: std::collections::BTreeMap<String, usize>,
}

impl Model<'_> {
    fn create(&mut self) {
        let id = uuid();
        let created = self.work.put(&id, &self.work.dispatcher, &creation("r1"));
        created.gives_status(201);
        let subject = musette_core::decisions::WorkSubject {
            kind: "shift".into(),
            reference: "shift-1".into(),
            starts_at: 0,
            ends_at: None,
        };
        let by = musette_core::decisions::By::Human { role: "dispatcher".into() };
        let now = Instant::from_millis(0);
        let state = Evaluation::create(id.clone(), "r1".into(), None, subject, None, by, now);
        self.all.push((id, Expected { state, actors: vec!["d1"] }));
    }

    fn token(&self, name: &str) -> &str {
        let work = self.work;
        match name {
            "d1" => &work.dispatcher,
            "v1" => &work.reviewer,
            "v2" => &work.second_reviewer,
            "a1" => &work.admin,
            _ => &work.key,
        }
    }

    fn step(&mut self, random: &mut Random, context: &str) {
        let place = random.below(self.all.len());
        let version = self.all[place].1.state.version;
        let is_rider = random.below(5) < 2;
        let calls = [Requested::Acceptance, Requested::Discussion, Requested::Withdrawal];
        let (who, requested) = if is_rider {
            (None, random.pick(&calls))
        } else if random.below(8) == 0 {
            (Some(random.pick(&PEOPLE)), Requested::Withdrawal)
        } else {
            (Some(random.pick(&PEOPLE)), Requested::To(random.pick(&Status::ALL)))
        };
        let mut request = request(random, requested, version);
        if requested == Requested::Withdrawal {
            request.version = None;
        }
        if who.is_none() && request.message.is_none() {
            request.message = Some(String::new());
        }
        let answer = self.send(place, who, &request);
        let caller = who.map_or(Caller::Rider, caller);
        let expected = &mut self.all[place].1;
        let is_own = who.is_some_and(|(name, ..)| expected.actors.contains(&name));
        let now = Instant::from_millis(1);
        let judged = judge(&expected.state, &caller, &request, is_own, Rules::default(), now);
        let code = match judged {
            Ok(next) => {
                assert_eq!(answer.status, 200, "{context}: {request:?} {answer:?}");
                let shown = answer.json();
                assert_eq!(shown["status"], next.status.as_str(), "{context}");
                assert_eq!(shown["version"], next.version, "{context}");
                expected.actors.extend(who.map(|(name, ..)| name));
                expected.state = next;
                "ok"
            }
            Err(refusal) => {
                let shown = answer.json();
                assert_eq!(shown["code"], refusal.code(), "{context}: {caller:?} {request:?}");
                if let Refusal::NotAllowed(allowed) = &refusal {
                    let names: Vec<&str> = allowed.iter().map(|status| status.as_str()).collect();
                    assert_eq!(shown["allowed"], json!(names), "{context}");
                }
                refusal.code()
            }
        };
        *self.counts.entry(code.to_owned()).or_default() += 1;
    }

    fn send(&self, place: usize, who: Option<Who>, request: &Request) -> Answer {
        let (id, app) = (&self.all[place].0, &self.work.app);
        let body = body(request);
        let Some((name, ..)) = who else {
            let path = format!("{OWN}/{id}/discussion");
            return match request.requested {
                Requested::Acceptance => self.work.rider_post(id, "acceptance", &body),
                Requested::Discussion => self.work.rider_post(id, "discussion", &body),
                _ => app.request("DELETE", &path).token(&self.work.rider).send(),
            };
        };
        let token = self.token(name);
        if request.requested == Requested::Withdrawal {
            let path = format!("{WORK}/{id}/discussion");
            return app.request("DELETE", &path).token(token).send();
        }
        self.work.transition(id, token, &body)
    }
}

fn random_calls_follow_the_table(engine: Engine) {
    let work = Work::start(engine);
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("MUSETTE_MODEL_SEED")
        .unwrap_or_else(|| u64::from_le_bytes(musette::parts::random::bytes()));
    let steps = number("MUSETTE_MODEL_STEPS").and_then(|steps| usize::try_from(steps).ok());
    let mut random = Random(seed);
    let mut model =
        Model { work: &work, all: Vec::new(), counts: std::collections::BTreeMap::new() };
    for step in 0..steps.unwrap_or(STEPS) {
        if step % 12 == 0 {
            model.create();
            // The oldest evaluations are mostly final.
            if model.all.len() > 12 {
                model.all.remove(0);
            }
        }
        model.step(&mut random, &format!("MUSETTE_MODEL_SEED={seed}, step {step}"));
    }
    eprintln!("MUSETTE_MODEL_SEED={seed}: {:?}", model.counts);
    for code in
        ["ok", "conflict", "transition_not_allowed", "message_too_short", "reasons_required"]
    {
        assert!(model.counts.contains_key(code), "{code} did not occur: {:?}", model.counts);
    }
    let store = work.app.store();
    drop(work);
    store.command(&["log", "verify"]).expect_success();
}
