use std::time::Duration;

use musette_core::session::{Role, SignInMethod};

use super::{NOW, add_user, on_both, store};
use crate::db::modify;
use crate::{
    ClusterNode, Engine, ImportedPerson, NewSession, NewUser, PeopleImport, Person, PersonFilter,
    SigningKeyRow, Store, StoreError,
};

on_both!(
    adding_a_user_again_only_adds_roles,
    a_new_user_does_not_replace_an_existing_one,
    an_import_fails_if_people_changed_since_the_check,
    concurrent_starts_get_the_same_secrets,
    finds_a_session_by_its_id,
    counts_nodes_that_are_behind,
    finds_people_regardless_of_case_and_accents,
    finds_people_of_an_older_version,
    normalises_stored_addresses_and_keeps_two_people_two
);

async fn adding_a_user_again_only_adds_roles(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let first = add_user(&store, "r1").await;
    let changed = NewUser {
        id: "r1".into(),
        roles: vec![Role::Operator.into()],
        name: None,
        email: Some("r1@larkspur.example".into()),
        phone: None,
        market: None,
        subject: "another".into(),
        subject_key: "bb".into(),
    };
    let second = store.add_user(&changed, NOW).await.expect("idempotent");
    assert_eq!(second.subject, first.subject, "consents keep their subject");
    assert_eq!(second.roles, [Role::Operator, Role::Rider].map(Into::into));
    let conflicting = NewUser { id: "r2".into(), subject: "third".into(), ..changed };
    let error = store.add_user(&conflicting, NOW).await.expect_err("the address is r1's");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    assert_eq!(store.user("r2").await.expect("reads"), None);
}

/// Not even if the existing user was added after the check.
async fn a_new_user_does_not_replace_an_existing_one(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let first = add_user(&store, "x1").await;
    let new = NewUser {
        id: "x1".into(),
        roles: vec![Role::Rider.into()],
        name: Some("Another".into()),
        email: Some("else@larkspur.example".into()),
        phone: None,
        market: None,
        subject: "another".into(),
        subject_key: "bb".into(),
    };
    assert!(!store.add_new_user(&new, NOW).await.expect("works"));
    let person = store.person("x1").await.expect("reads").expect("there");
    assert_eq!((person.subject, person.email, person.name), (first.subject, None, None));
    let new = NewUser { id: "x2".into(), ..new };
    assert!(store.add_new_user(&new, NOW).await.expect("works"));
}

async fn an_import_fails_if_people_changed_since_the_check(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    let row = |roles: &[Role], has_other_roles| ImportedPerson {
        id: "r1".into(),
        email: Some("r1@larkspur.example".into()),
        phone: None,
        name: None,
        market: None,
        locale: None,
        roles: roles.iter().map(|role| (*role).into()).collect(),
        has_other_roles,
        contact: None,
        events: Vec::new(),
        new: None,
    };
    let checked_revision = store.revision().await.expect("a number");
    assert!(
        !store.set_roles("r1", &[Role::Legal.into()], NOW).await.expect("works"),
        "no admin would remain"
    );
    store.set_roles("r1", &[Role::Admin.into()], NOW).await.expect("works");
    let rows = [row(&[Role::Rider], false)];
    let result = store.import_people(&rows, checked_revision, NOW).await.expect("works");
    assert_eq!(result, PeopleImport::Changed);
    let person = store.person("r1").await.expect("reads").expect("there");
    assert_eq!((person.roles, person.email), (vec!["admin".to_owned()], None));
    let now = store.revision().await.expect("a number");
    let result = store.import_people(&[row(&[Role::Rider], true)], now, NOW).await.expect("works");
    assert_eq!(result, PeopleImport::LastAdmin);
    let result = store.import_people(&rows, now, NOW).await.expect("works");
    assert_eq!(result, PeopleImport::Done);
    let person = store.person("r1").await.expect("reads").expect("there");
    assert_eq!(person.roles, ["admin"], "values that the file does not change stay");
}

async fn concurrent_starts_get_the_same_secrets(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let (one, two) = tokio::join!(store.secret("s", "one"), store.secret("s", "two"));
    assert_eq!(one.expect("a secret"), two.expect("a secret"));
    let key = |kid: &str| SigningKeyRow {
        kid: kid.into(),
        seed: "00".into(),
        signs_from: 0,
        last_exp: 0,
    };
    let (one, two) = (key("one"), key("two"));
    let (one, two) = tokio::join!(store.signing_keys(&one, NOW), store.signing_keys(&two, NOW));
    let (one, two) = (one.expect("keys"), two.expect("keys"));
    assert_eq!((one.len(), &one[0].kid), (1, &two[0].kid));
}

async fn finds_a_session_by_its_id(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let user = add_user(&store, "r1").await;
    let new = NewSession {
        sid: "s1".into(),
        user_id: user.id,
        salt: "00".into(),
        idle_until: NOW.plus(Duration::from_secs(1)),
        absolute_until: NOW.plus(Duration::from_secs(2)),
        device: String::new(),
        method: SignInMethod::Code,
    };
    store.open_session(&new, NOW).await.expect("opens");
    let session = store.session("s1").await.expect("reads").expect("there");
    assert_eq!((session.user_id.as_str(), session.subject), ("r1", user.subject));
    assert!(store.session("s2").await.expect("reads").is_none());
}

async fn counts_nodes_that_are_behind(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let node = |revision| ClusterNode { id: "n1".into(), revision, seen_at: NOW.millis() };
    store.record_node(&node(1)).await.expect("writes");
    let revision = store.raise_revision().await.expect("writes");
    let behind = |since| store.nodes_behind(since, revision);
    assert_eq!(behind(NOW.millis()).await.expect("reads"), 1);
    assert_eq!(
        behind(NOW.millis() + 1).await.expect("reads"),
        0,
        "a node that is down is not counted"
    );
    store.record_node(&node(revision)).await.expect("writes");
    assert_eq!(behind(NOW.millis()).await.expect("reads"), 0);
    store.leave_node("n1", 0).await.expect("writes");
    store.raise_revision().await.expect("writes");
    assert_eq!(store.nodes_behind(0, revision + 1).await.expect("reads"), 0);
}

fn named(id: &str, name: &str) -> NewUser {
    NewUser {
        id: id.into(),
        roles: vec![Role::Rider.into()],
        name: Some(name.into()),
        email: Some(format!("{id}@larkspur.example")),
        phone: None,
        market: None,
        subject: format!("subject of {id}"),
        subject_key: "aa".into(),
    }
}

async fn find(store: &Store, text: &str) -> Vec<String> {
    let all = PersonFilter { text: text.into(), ..PersonFilter::default() };
    let riders = PersonFilter { role: Some(Role::Rider), ..all.clone() };
    let ids = |people: Vec<Person>| people.into_iter().map(|person| person.id).collect::<Vec<_>>();
    let by_text = ids(store.find_people(&all, 10).await.expect("reads"));
    assert_eq!(by_text, ids(store.find_people(&riders, 10).await.expect("reads")));
    let missing = store
        .decisions_of_riders(&[1], text, "", 10, crate::AsOf::NOW, &crate::MarketFilter::EVERYWHERE)
        .await
        .expect("reads");
    assert_eq!(by_text, missing.into_iter().map(|person| person.id).collect::<Vec<_>>());
    by_text
}

async fn finds_people_regardless_of_case_and_accents(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for (id, name) in [("r1", "Иван Петров"), ("r2", "José Özdemir"), ("r_3", "100% Quill")]
    {
        store.add_user(&named(id, name), NOW).await.expect("added");
    }
    assert_eq!(find(&store, "иван").await, ["r1"]);
    assert_eq!(find(&store, "ПЕТР").await, ["r1"]);
    assert_eq!(find(&store, "ozdemir").await, ["r2"]);
    assert_eq!(find(&store, " JOSÉ ").await, ["r2"]);
    assert_eq!(find(&store, "R").await, ["r1", "r2", "r_3"], "the beginning of an ID");
    assert_eq!(find(&store, "r_").await, ["r_3"], "`_` is no wildcard");
    assert_eq!(find(&store, "100%").await, ["r_3"]);
    assert_eq!(
        find(&store, "2@larkspur").await,
        [""; 0],
        "an address is only found by its beginning"
    );
    assert_eq!(find(&store, "").await.len(), 3);
    let changed = NewUser { subject: "another".into(), ..named("r1", "Noor Quill") };
    store.add_user(&changed, NOW).await.expect("renamed");
    assert_eq!(find(&store, "иван").await, [""; 0]);
    assert_eq!(find(&store, "quill").await, ["r1", "r_3"]);
    assert!(store.erase_user("r1", NOW).await.expect("erased"));
    assert_eq!(find(&store, "quill").await, ["r_3"]);
}

async fn finds_people_of_an_older_version(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.add_user(&named("r1", "Noor Quill"), NOW).await.expect("added");
    let delete = "DELETE FROM people_search";
    modify!(store, |pool| sqlx::query(delete).execute(pool).await.map(drop)).expect("deletes");
    assert_eq!(find(&store, "quill").await, [""; 0]);
    store.migrate().await.expect("migrates");
    assert_eq!(find(&store, "quill").await, ["r1"]);
}

async fn normalises_stored_addresses_and_keeps_two_people_two(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let stored = [
        ("alone", Some("Noor\u{200b}@larkspur.example"), Some("+49 30 5550100")),
        ("first", Some("ida\u{ad}@larkspur.example"), None),
        ("second", Some("ida@larkspur.example"), None),
        ("wrong", None, Some("\u{200e}12")),
        ("r\u{200b}1", Some("ok@larkspur.example"), Some("+4930")),
    ];
    for (id, email, phone) in stored {
        let user = named(id, "Noor Quill");
        let (email, phone) = (email.map(str::to_owned), phone.map(str::to_owned));
        store.add_user(&NewUser { email, phone, ..user }, NOW).await.expect("added");
    }
    let delete = "DELETE FROM people_search";
    modify!(store, |pool| sqlx::query(delete).execute(pool).await.map(drop)).expect("deletes");
    store.migrate().await.expect("migrates");
    let address = async |id: &str| {
        let person = store.person(id).await.expect("reads").expect("a person");
        (person.email, person.phone)
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(address("alone").await, (text("noor@larkspur.example"), text("+49305550100")));
    // Another person has the normal form.
    assert_eq!(address("first").await, (text("ida\u{ad}@larkspur.example"), None));
    assert_eq!(address("second").await, (text("ida@larkspur.example"), None));
    assert_eq!(find(&store, "noor@larkspur").await, ["alone"]);
    let forms = store.former_forms().await.expect("reads");
    assert_eq!(forms.addresses, ["first", "wrong"]);
    assert_eq!(forms.ids, ["r\u{200b}1"]);
}
