/** Eyes and mouth on a grid of 24. */
const dots = "M9 10v.01M15 10v.01";
const closedEyes = "M8 10.2c.6.7 1.6.7 2.2 0M13.8 10.2c.6.7 1.6.7 2.2 0";
const happyEyes = "M8 10.5c.6-.9 1.6-.9 2.2 0M13.8 10.5c.6-.9 1.6-.9 2.2 0";
const worriedBrows = "M8 8.6l2-1M16 8.6l-2-1";
const crossBrows = "M8 7.8l2.2 1.1M16 7.8l-2.2 1.1";
const smile = "M8.5 14c.9 1.3 2.1 2 3.5 2s2.6-.7 3.5-2";
const laugh = "M8 13.5h8c-.3 2.1-1.9 3.4-4 3.4s-3.7-1.3-4-3.4z";
const frown = "M8.5 16c.9-1.2 2.1-1.8 3.5-1.8s2.6.6 3.5 1.8";
const flat = "M9 15h6";
const wave = "M8.5 15.2c1-1.2 1.9-1.2 2.6-.3.8 1 1.7 1 2.2.1.6-.9 1.4-.9 2.2 0";
const round = "M12 13.4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3";

const neutral = { path: `${dots}${flat}`, moods: ["neutral", "ok", "okay"] };

const faces = [
  { path: `${dots}${smile}`, moods: ["happy", "good", "cheerful", "content", "positive"] },
  { path: `${dots}${laugh}`, moods: ["excited", "joyful", "enthusiastic", "playful", "amused"] },
  { path: `${happyEyes}${laugh}`, moods: ["proud", "confident", "great"] },
  { path: `${closedEyes}${smile}`, moods: ["calm", "relaxed", "peaceful"] },
  {
    path: `${dots}M13.6 7.4c.8-.6 1.8-.6 2.6 0M10.5 15.2c1.4.6 2.8.3 3.8-.7`,
    moods: ["curious", "interested", "engaged", "thoughtful", "focused"],
  },
  { path: `${dots}${round}`, moods: ["surprised", "amazed"] },
  { path: `${closedEyes}${round}`, moods: ["tired", "sleepy"] },
  { path: `M8 10h2.2M13.8 10h2.2${flat}`, moods: ["bored", "distracted", "disengaged"] },
  { path: `${dots}${wave}`, moods: ["confused", "unsure", "puzzled"] },
  { path: `${dots}${worriedBrows}${wave}`, moods: ["anxious", "worried", "nervous", "scared", "afraid"] },
  { path: `${dots}${worriedBrows}${frown}`, moods: ["sad", "unhappy", "upset", "disappointed", "lonely"] },
  { path: `M9 10.8v.01M15 10.8v.01${crossBrows}${frown}`, moods: ["angry", "frustrated", "annoyed"] },
  neutral,
];

const byMood = new Map(faces.flatMap((face) => face.moods.map((mood) => [mood, face] as const)));

/** The face of a mood, ignoring case; the neutral one for an unknown mood. */
export function faceOf(mood: string): { path: string; moods: readonly string[] } {
  return byMood.get(mood.trim().toLowerCase()) ?? neutral;
}
