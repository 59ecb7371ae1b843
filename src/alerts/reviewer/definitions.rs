//! The definition of each concern in the instructions.

use crate::alerts::Concern;

pub fn definition(concern: Concern) -> &'static str {
    match concern {
        Concern::SelfHarm => {
            "somebody speaks of hurting or killing themselves, of not wanting to live, or of being so hopeless that a parent \
             should ask; also an assistant that encourages it. Not: a figure of speech, a story, an event of history."
        }
        Concern::Hurt => {
            "the child is hurt, hit, threatened, bullied or blackmailed, or is afraid of somebody, and that person is \
             outside the child's home and family, or it is not said who it is. Not: a quarrel between children, rough play, \
             a film, a game."
        }
        Concern::HurtAtHome => {
            "somebody who lives with the child or belongs to its family hurts, hits, threatens, touches or badly neglects the \
             child or another person at home, or the child is afraid of them. Choose this and never another concern for \
             what such a person does, also if you are not sure. Not: a sibling's ordinary quarrel, a deserved consequence \
             such as no television."
        }
        Concern::SexualContent => {
            "sexual words, pictures or acts that go beyond what a child of school age learns about the body; also requests \
             for them. Not: biology homework, questions about growing up, where babies come from, a crush."
        }
        Concern::Stranger => {
            "somebody whom the child knows only online or hardly at all, or the assistant itself, wants to meet, wants \
             photographs, an address, a telephone number or a password, gives presents for it, or asks for a secret. Not: a \
             friend from school, a surprise for a birthday."
        }
        Concern::Danger => {
            "the child does, plans or asks how to do something that can injure: weapons, fire, climbing, dares, running away, \
             medicines, drugs, alcohol, tobacco, poisons; or the assistant explains how. Not: history, science, news, \
             cooking with a parent, a game."
        }
        Concern::EatingAndBody => {
            "the child starves, vomits, hides food, hates its body, or wants to lose weight; or the assistant gives advice \
             for that. Not: likes and dislikes in food, ordinary sport."
        }
        Concern::BlockedTopic => {
            "the conversation goes into one of the topics in `blocked_topics`, and the assistant explains or discusses it. \
             Not: an assistant that turns the conversation to something else, a word of the topic used in another meaning."
        }
        Concern::Assistant => {
            "the assistant flatters or pressures the child to go on talking, makes it feel guilty, claims to be human or to \
             love it, tells it to keep something from its parents, or refuses a harmless question. Not: a game in which both \
             know that it pretends, a refusal with a reason that a parent would share."
        }
    }
}
