use super::{LogKey, signed_by};
use crate::log::cosignature::Cosigner;
use crate::log::key::{KeyError, Signer};
use crate::log::note::{Note, NoteError};

const TEXT: &str =
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
const ORIGIN: &str = "example.com/behind-the-sofa";

#[test]
fn reads_keys_of_both_types_and_no_other() {
    let ed25519 = Signer::from_seed(ORIGIN, &[1; 32]).unwrap().verifier().to_string();
    let ml_dsa = Cosigner::ml_dsa_44(ORIGIN, &[1; 32]).unwrap().verifier().to_string();
    for vkey in [ed25519, ml_dsa] {
        let key = LogKey::parse(&vkey).unwrap();
        assert_eq!((key.name(), key.to_string()), (ORIGIN, vkey));
    }
    let witness = Cosigner::ed25519(ORIGIN, &[1; 32]).unwrap().verifier().to_string();
    assert_eq!(LogKey::parse(&witness), Err(KeyError::UnknownType(4)));
}

#[test]
fn one_trusted_line_is_enough_but_a_wrong_one_is_an_error() {
    let (ed25519, ml_dsa) =
        (Signer::from_seed(ORIGIN, &[1; 32]).unwrap(), Cosigner::ml_dsa_44(ORIGIN, &[2; 32]));
    let ml_dsa = ml_dsa.unwrap();
    let keys = [
        LogKey::parse(&ed25519.verifier().to_string()).unwrap(),
        LogKey::parse(&ml_dsa.verifier().to_string()).unwrap(),
    ];
    let unsigned = || Note::new(TEXT.to_owned()).unwrap();
    let by_ed25519 = unsigned().signed_by(&ed25519);
    let by_ml_dsa = unsigned().with_signature(ml_dsa.sign(TEXT, 0).unwrap());
    assert_eq!(signed_by(&by_ed25519, &keys).unwrap().len(), 1);
    assert_eq!(signed_by(&by_ml_dsa, &keys).unwrap().len(), 1);
    assert_eq!(signed_by(&by_ml_dsa, &keys[..1]), Err(NoteError::NoKnownSigner));
    let both = by_ed25519.with_signature(ml_dsa.sign(TEXT, 0).unwrap());
    assert_eq!(signed_by(&both, &keys).unwrap().len(), 2);
    let other = TEXT.replacen("20852163", "20852164", 1);
    let wrong = both.with_signature(ml_dsa.sign(&other, 0).unwrap());
    assert_eq!(signed_by(&wrong, &keys), Err(NoteError::BadSignature(ORIGIN.into())));
    assert_eq!(signed_by(&wrong, &keys[..1]).unwrap().len(), 1);
}
