// Generated from bn.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "bn",
    subject: "{code} আপনার সাইন-ইন কোড",
    body: "আপনার কোড {code}\n\nকোডটি একবার এবং ১০ মিনিটের জন্য কাজ করে। আমাদের কেউ কখনো আপনার কাছে এটি চাইবে না।\nআপনি কোড না চেয়ে থাকলে এই বার্তাটি উপেক্ষা করতে পারেন।\n",
    test_subject: "পরীক্ষামূলক বার্তা",
    test_body: "এটি একটি পরীক্ষা। একবার ব্যবহারের কোড এভাবেই পৌঁছায়।\n",
    asked_subject: "আপনার অনুমোদনের অপেক্ষায়: {name}",
    asked_body: "{name} আপনার অনুমোদনের অপেক্ষায় আছে।\n\n{url}\n\nআপনি এটি অনুমোদন করতে পারেন বলে এই বার্তা পাচ্ছেন।\n",
    returned_subject: "ফেরত পাঠানো হয়েছে: {name}",
    returned_body: "{name} একটি মন্তব্যসহ আপনার কাছে ফেরত পাঠানো হয়েছে।\n\n{url}\n",
};
