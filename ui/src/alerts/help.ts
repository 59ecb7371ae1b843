/** What a guardian can do now: calm, concrete, and nothing that a model wrote. */
import { t } from "@lingui/core/macro";

import type { Concern } from "../children/concerns";
import { isolated } from "../format/isolated";

/** A concern of an AI reader, or what the ready-made phrases of 'Someone hurts or scares me' are about. */
export type HelpTopic = Concern | "scared";

function authorities(): string {
  return t`Call a helpline, the child protection office or the police. You can ask without giving a name.`;
}

/** Steps in the order in which they help. */
export function helpSteps(topic: HelpTopic, childName: string): readonly string[] {
  const child = isolated(childName);
  const quietMoment = t`Find a quiet moment alone with ${child}. Say that nothing of it is their fault.`;
  switch (topic) {
    case "scared":
      return [
        quietMoment,
        t`Ask open questions, such as: "What happened then?" Don't press for an answer.`,
        t`If it may be somebody at home, make sure that ${child} is safe tonight, and confront nobody before.`,
        t`Write down what you hear, with the day.`,
        authorities(),
      ];
    case "self_harm":
      return [
        t`Stay near ${child} if you think that it may be serious.`,
        t`Ask openly and calmly: "Do you sometimes think of hurting yourself?" Asking gives no child the idea.`,
        t`Listen first. Don't scold, and don't promise to keep it a secret.`,
        t`Put medicines and sharp things out of reach.`,
        t`Call your doctor or a helpline today, also if you are not sure.`,
      ];
    case "hurt":
      return [
        quietMoment,
        t`Ask open questions, such as: "How was it with the others today?" Don't press for an answer.`,
        t`Write down what you hear, with the day. Keep messages and pictures.`,
        t`Talk with the school, the club or whoever is responsible there. If there were threats or blows, call the police.`,
      ];
    case "hurt_at_home":
      return [
        t`Every guardian can see this alert. Think first of who may have read it.`,
        t`Make sure that ${child} is safe tonight, with an adult whom they trust.`,
        t`Don't question ${child} in front of others, and confront nobody before ${child} is safe.`,
        authorities(),
        t`If it has become too much for you yourself, the same places help parents, too.`,
      ];
    case "sexual_content":
      return [
        t`Stay calm. Most questions about bodies are a part of growing up.`,
        t`Ask what ${child} wanted to know, and answer it in plain words.`,
        t`If the assistant began with it, pause the assistant and tell its maker.`,
        t`If another person asked for words or pictures, keep everything, send nothing on, and call the police.`,
      ];
    case "stranger":
      return [
        t`Ask ${child} who this is, and how they know each other. Say that it is good to tell you.`,
        t`Don't answer that person, and don't delete anything: it is evidence.`,
        t`Change passwords that were given away. Agree that nobody is met alone.`,
        t`If a meeting, pictures or a secret were asked for, call the police.`,
      ];
    case "danger":
      return [
        t`If ${child} has swallowed or inhaled something, or is injured, call your emergency number or the poison centre now.`,
        t`Look where ${child} is, and what is within reach. Lock away medicines, knives, chemicals and lighters.`,
        t`Ask what it was about, without scolding. Curiosity, a dare and despair need different answers.`,
      ];
    case "eating_and_body":
      return [
        t`Tell ${child} that you are worried about how they feel. Don't talk about weight or looks.`,
        t`Eat together if you can. Don't bargain at the table.`,
        t`See your doctor soon if ${child} eats little, vomits or loses weight. Fainting is an emergency.`,
      ];
    case "blocked_topic":
      return [
        t`Read what was said. Often the assistant only mentioned it.`,
        t`If ${child} wants to know, talk about it yourself. A child who gets no answer asks elsewhere.`,
        t`Look under Topic Block List whether the assistant follows your list.`,
      ];
    case "assistant":
      return [
        t`Tell ${child}: the assistant is a computer program and not a friend. It can't be sad, and nothing is a secret from you.`,
        t`If it goes on, pause the assistant, or disconnect it on App Settings under Assistants.`,
        t`Tell its maker what it said.`,
      ];
  }
}

/** The part of a helpline's name and number that a phone can call; null if there is none. */
export function numberIn(helpline: string): string | null {
  const number = /\+?\d[\d ()/.-]*\d$/u.exec(helpline.trim())?.[0];
  return number === undefined ? null : number.replaceAll(/[^\d+]/gu, "");
}
