export interface paths {
  "/auth/link": { post: { body: components["schemas"]["LinkRequest"] } };
  "/auth/sign-in": {
    post: { body: components["schemas"]["SignInRequest"]; answer: components["schemas"]["IssuedIdentity"] };
  };
  "/auth/token": { post: { answer: components["schemas"]["IssuedIdentity"] } };
  "/auth/sign-out": { post: { body: components["schemas"]["SignOutRequest"] } };
  "/auth/methods": { get: { answer: components["schemas"]["SignInMethods"] } };
  "/auth/oidc/start": { get: {} };
  "/auth/oidc/callback": { get: {} };
  "/auth/sign_ins": { get: { answer: components["schemas"]["Page_SignIn"] } };
  "/auth/sign_ins/seen": { post: {} };
  "/auth/sign_ins/{signInId}": { delete: {} };
  "/auth/recovery": {
    post: {
      body: components["schemas"]["RecoverySignInRequest"];
      answer: components["schemas"]["IssuedIdentity"];
    };
  };
  "/auth/recovery_codes": {
    get: { answer: components["schemas"]["RecoveryCodes"] };
    post: { answer: components["schemas"]["CreatedRecoveryCodes"] };
  };
  "/auth/step_up": {
    get: { answer: components["schemas"]["StepUp"] };
    post: { body: components["schemas"]["StepUpRequest"]; answer: components["schemas"]["SteppedUp"] };
  };
  "/auth/step_up/email": { post: {} };
  "/auth/pairing": {
    get: { answer: components["schemas"]["Pairing"] };
    post: { answer: components["schemas"]["CreatedPairing"] };
    delete: {};
  };
  "/auth/pairing/confirmation": { post: { body: components["schemas"]["TypedDigits"] } };
  "/auth/pairing/claim": {
    post: { body: components["schemas"]["PairingToken"]; answer: components["schemas"]["ClaimedPairing"] };
  };
  "/auth/pairing/completion": {
    post: { body: components["schemas"]["PairingClaim"]; answer: components["schemas"]["IssuedIdentity"] };
  };
  "/auth/step_up/other_device": { post: { answer: components["schemas"]["AskedDigits"] } };
  "/auth/asking_devices": { get: { answer: components["schemas"]["Page_AskingDevice"] } };
  "/auth/asking_devices/{signInId}": { post: { body: components["schemas"]["TypedDigits"] }; delete: {} };
  "/auth/address": {
    get: { answer: components["schemas"]["OwnAddress"] };
    put: { body: components["schemas"]["NewAddressRequest"] };
    delete: {};
  };
  "/auth/language": { put: { body: components["schemas"]["LanguageChoice"] } };
  "/auth/email": {
    post: { body: components["schemas"]["AddressLink"]; answer: components["schemas"]["AddressLinkUsed"] };
  };
  "/children": {
    get: { answer: components["schemas"]["Child"][] };
    post: { body: components["schemas"]["AddChildRequest"]; answer: components["schemas"]["Child"] };
  };
  "/child/{childId}/summary": { get: { answer: components["schemas"]["Summary"] | null } };
  "/sessions": { get: { answer: components["schemas"]["SessionPage"] } };
  "/sessions/{sessionId}": { get: { answer: components["schemas"]["Session"] }; delete: {} };
  "/sessions/{sessionId}/messages": { get: { answer: components["schemas"]["MessagePage"] } };
  "/child/{childId}/search": {
    post: { body: components["schemas"]["SearchRequest"]; answer: components["schemas"]["SearchPage"] };
  };
  "/child/{childId}/alerts": { get: { answer: components["schemas"]["AlertPage"] } };
  "/alerts/unseen": { get: { answer: components["schemas"]["Page_UnseenAlerts"] } };
  "/alerts/seen": { put: { body: components["schemas"]["SeenAlerts"] } };
  "/child/{childId}/alerts/{alertId}/not_worrying": { put: { body: components["schemas"]["NotWorrying"] } };
  "/child/{childId}/alerts/{alertId}/dealt_with": { put: { body: components["schemas"]["AlertDealtWith"] } };
  "/child/{childId}/not_worrying": {
    get: { answer: components["schemas"]["Page_Concern"] };
    put: { body: components["schemas"]["NotWorryingConcerns"] };
  };
  "/child/{childId}/watched_phrases": {
    get: { answer: components["schemas"]["WatchedPhrase"][] };
    put: { body: components["schemas"]["WatchedPhrase"][]; answer: components["schemas"]["WatchedPhrase"][] };
  };
  "/child/{childId}/watched_phrases/try": {
    post: { body: components["schemas"]["PhraseToTry"]; answer: components["schemas"]["TriedPhrase"] };
  };
  "/child/{childId}/metrics": { get: { answer: components["schemas"]["Metrics"] } };
  "/sessions/{sessionId}/child": { put: { body: components["schemas"]["MoveRequest"] } };
  "/sessions/{sessionId}/not_child": { put: { body: components["schemas"]["NotChildRequest"] } };
  "/child/{childId}/deleted_sessions": { get: { answer: components["schemas"]["DeletedPage"] } };
  "/child/{childId}/deleted_sessions/shown": { post: { body: components["schemas"]["ShownDeletedRequest"] } };
  "/child/{childId}/deleted_sessions/{sessionId}/undelete": { post: {} };
  "/child/{childId}/deleted_sessions/{sessionId}": { delete: {} };
  "/child/{childId}/export": { get: { answer: Record<string, never> } };
  "/household": { get: { answer: components["schemas"]["Household"] } };
  "/child/{childId}/name": {
    put: { body: components["schemas"]["NameRequest"]; answer: components["schemas"]["Child"] };
  };
  "/assistants": {
    post: {
      body: components["schemas"]["ConnectRequest"];
      answer: components["schemas"]["ConnectedAssistant"];
    };
  };
  "/assistants/{assistantId}/name": {
    put: { body: components["schemas"]["NameRequest"]; answer: components["schemas"]["OwnAssistant"] };
  };
  "/assistants/{assistantId}/key": { post: { answer: components["schemas"]["ConnectedAssistant"] } };
  "/assistants/{assistantId}/key/kept": { put: {} };
  "/assistants/{assistantId}": { delete: {} };
  "/child/{childId}/assistants/{assistantId}": { delete: {} };
  "/household/requests": { get: { answer: components["schemas"]["Requests"] } };
  "/household/requests/shown": { post: { body: components["schemas"]["ShownRequests"] } };
  "/child/{childId}/guardians/me": { delete: {} };
  "/child/{childId}/deletion": { put: { body: components["schemas"]["NameRequest"] } };
  "/child/{childId}/requests/{kind}/confirmation": { put: {} };
  "/child/{childId}/requests/{kind}": { delete: {} };
  "/child/{childId}/connections": { get: { answer: components["schemas"]["Page_Connection"] } };
  "/assistants/{assistantId}/upstream": {
    put: {
      body: components["schemas"]["ChooseUpstreamRequest"];
      answer: components["schemas"]["OwnAssistant"];
    };
  };
  "/invitations": {
    post: {
      body: components["schemas"]["InviteRequest"];
      answer: components["schemas"]["CreatedInvitation"];
    };
  };
  "/invitations/{invitationId}/confirmation": { put: {} };
  "/invitations/{invitationId}": { delete: {} };
  "/invitations/open": {
    post: {
      body: components["schemas"]["InvitationToken"];
      answer: components["schemas"]["OpenedInvitation"];
    };
  };
  "/invitations/accept": {
    post: { body: components["schemas"]["AcceptRequest"]; answer: components["schemas"]["IssuedIdentity"] };
  };
  "/invitations/join": { post: { body: components["schemas"]["InvitationToken"] } };
  "/setup": {
    post: { body: components["schemas"]["SetupRequest"]; answer: components["schemas"]["IssuedIdentity"] };
  };
  "/setup/sign_in": {
    post: {
      body: components["schemas"]["SetupSignInRequest"];
      answer: components["schemas"]["IssuedIdentity"];
    };
  };
  "/setup/finish": { post: {} };
  "/child/{childId}/activities/completed": { get: { answer: components["schemas"]["CompletedActivity"][] } };
  "/child/{childId}/activities/upcoming": { get: { answer: components["schemas"]["UpcomingActivity"][] } };
  "/child/{childId}/activities/upcoming/{activityId}/feedback": {
    put: { body: components["schemas"]["Feedback"] };
    delete: {};
  };
  "/child/{childId}/for_child": {
    get: { answer: components["schemas"]["ChildNotice"] };
    put: { body: components["schemas"]["PageEditionChoice"] };
  };
  "/attention": { get: { answer: components["schemas"]["Page_ChildAttention"] } };
  "/child/{childId}/assistants/{assistantId}/not_in_use": {
    put: { body: components["schemas"]["AssistantNotInUse"] };
  };
  "/child/{childId}/curious": { get: { answer: components["schemas"]["ConversationStarters"] } };
  "/child/{childId}/curious/hidden": { put: { body: components["schemas"]["HiddenQuestion"] } };
  "/child/{childId}/curious/on": { put: { body: components["schemas"]["ConversationStartersSwitch"] } };
  "/child/{childId}/history": { get: { answer: components["schemas"]["Page_HistoryEntry"] } };
  "/child/{childId}/rules": { get: { answer: components["schemas"]["Rules"] } };
  "/child/{childId}/blocked_topics": { get: { answer: string[] }; put: { body: string[]; answer: string[] } };
  "/child/{childId}/context": {
    get: { answer: components["schemas"]["Context"] };
    put: { body: components["schemas"]["Context"]; answer: components["schemas"]["Context"] };
  };
  "/child/{childId}/rules/history": { get: { answer: components["schemas"]["Page_RulesVersion"] } };
  "/child/{childId}/rules/receipts": { get: { answer: components["schemas"]["Receipts"] } };
  "/sessions/{sessionId}/receipts": { get: { answer: components["schemas"]["SessionReceipts"] } };
  "/child/{childId}/talk_status": { get: { answer: components["schemas"]["TalkStatus"] } };
  "/children/talk_status": { get: { answer: components["schemas"]["Page_ChildTalk"] } };
  "/child/{childId}/born": {
    get: { answer: components["schemas"]["Born"] };
    put: { body: components["schemas"]["ReplaceBirthMonth"]; answer: components["schemas"]["Born"] };
  };
  "/child/{childId}/language": {
    get: { answer: components["schemas"]["ChildLanguage"] };
    put: { body: components["schemas"]["ChildLanguage"]; answer: components["schemas"]["ChildLanguage"] };
  };
  "/child/{childId}/times": {
    get: { answer: components["schemas"]["Schedule"] };
    put: { body: components["schemas"]["Schedule"]; answer: components["schemas"]["Schedule"] };
  };
  "/subscription": {
    get: { answer: components["schemas"]["Subscription"] };
    put: {
      body: components["schemas"]["SubscriptionSettings"];
      answer: components["schemas"]["Subscription"];
    };
  };
  "/subscription/arrivals": { get: { answer: components["schemas"]["SubscriptionArrivals"] } };
  "/subscription/tests": {
    post: { body: components["schemas"]["MessageTest"]; answer: components["schemas"]["MessageTested"] };
  };
  "/subscription/notifications": { post: { answer: components["schemas"]["NotificationTopic"] }; delete: {} };
  "/subscription/push": {
    get: { answer: components["schemas"]["PushSubscriptionStatus"] };
    put: { body: components["schemas"]["PushSubscription"] };
    delete: {};
  };
  "/child/{childId}/looks": { get: { answer: components["schemas"]["AccessLog"] } };
  "/child/{childId}/deletions": { get: { answer: components["schemas"]["Page_Deletion"] } };
  "/sessions/{sessionId}/kept": {
    get: { answer: components["schemas"]["Kept"] };
    put: { body: components["schemas"]["KeptRequest"] };
  };
  "/child/{childId}/retention": {
    get: { answer: components["schemas"]["Retention"] };
    put: {
      body: components["schemas"]["ChooseRetentionRequest"];
      answer: components["schemas"]["Retention"];
    };
  };
  "/child/{childId}/reviewer": {
    get: { answer: components["schemas"]["Reviewer"] };
    put: { body: components["schemas"]["NamedReviewer"] };
    delete: {};
  };
  "/child/{childId}/reviewer/confirmation": { put: { body: components["schemas"]["NamedReviewer"] } };
  "/child/{childId}/reviewer/shown": { put: { body: components["schemas"]["NamedReviewer"] } };
  "/child/{childId}/reviewer/at_home": { put: { body: components["schemas"]["ReviewerAtHome"] } };
  "/child/{childId}/tries/preview": { get: { answer: components["schemas"]["TryPreview"] } };
  "/child/{childId}/tries": {
    get: { answer: components["schemas"]["Page_Try"] };
    post: { body: components["schemas"]["StartTryRequest"]; answer: components["schemas"]["Try"] };
  };
  "/child/{childId}/tries/{tryId}": { get: { answer: components["schemas"]["TryWithAnswers"] }; delete: {} };
  "/child/{childId}/tries/{tryId}/answers/{number}/verdict": {
    put: { body: components["schemas"]["TryVerdict"] };
  };
  "/child/{childId}/events": { get: { answer: string[] } };
  "/assistant": { get: { answer: components["schemas"]["AssistantView"] } };
  "/assistant/deliveries": {
    post: { body: components["schemas"]["Delivery"]; answer: components["schemas"]["DeliveryAnswer"] };
  };
  "/assistant/child/{childId}/activities/upcoming": {
    put: { body: components["schemas"]["UpcomingActivity"][] };
  };
  "/assistant/child/{childId}/feedback": { get: { answer: components["schemas"]["FeedbackPage"] } };
  "/assistant/child/{childId}/blocked_topics": {
    get: { answer: components["schemas"]["AssistantBlockedTopics"] };
  };
  "/assistant/rules": { get: { answer: components["schemas"]["AssistantRules"] } };
  "/assistant/child/{childId}/rules": { get: { answer: components["schemas"]["AssistantRules"] } };
  "/assistant/child/{childId}/report": {
    put: {
      body: {
        [key: string]: unknown;
      };
    };
  };
  "/assistant/plugins/{stack}": { get: { answer: string } };
}

export interface components {
  schemas: {
    /** @description A new guardian who accepts an invitation. */
    AcceptRequest: {
      /** @description The link's token, `ivt_…`. */
      token: string;
      /** @description Their name. */
      name: string;
      /**
       * Format: email
       * @description Their address, unless the link was sent by e-mail. It stays unverified until they use a link or code from an e-mail to it.
       */
      email?: string;
    };
    /** @description The address of the guardian who accepted an invitation. */
    AcceptedAddress: {
      /**
       * Format: email
       * @description An e-mail address.
       */
      email: string;
      /** @description Whether it is verified; otherwise it is only what they typed. */
      verified: boolean;
    };
    /**
     * @description Who looked.
     * @enum {string}
     */
    AccessBy: "guardian" | "former_guardian" | "command_line";
    /** @description Who looked at a child's conversations in the last 400 days. */
    AccessLog: {
      /**
       * Format: date
       * @description The present day in the server's time zone.
       */
      today: string;
      /** @description The days on which the caller looked, newest first. */
      own: components["schemas"]["OwnAccess"][];
      /** @description The child's other guardians, then former ones and the administrator if they looked. */
      others: components["schemas"]["OthersAccess"][];
    };
    /** @description A week in which somebody else read. */
    AccessWeek: {
      /**
       * Format: date
       * @description The Monday of the week.
       */
      week: string;
      /**
       * Format: uint64
       * @description On how many days they opened or searched conversations: 1 to 7.
       */
      days: number;
    };
    /** @description A new child. */
    AddChildRequest: {
      /** @description Trimmed; not empty and without control characters. */
      name: string;
      /**
       * @description For how many days its conversations are kept; for ever if it is omitted.
       * @enum {integer}
       */
      retention_days?: 30 | 90 | 365;
      /**
       * @description The month in which it was born.
       * @example 2018-05
       */
      born?: string;
      /** @description The language that it speaks with its assistants. */
      language?: components["schemas"]["Language"];
    };
    /** @description A requested change of a guardian's address. */
    AddressChange: {
      /** @description The new address. */
      email: string;
      /**
       * Format: date-time
       * @description When it was requested.
       */
      requested_at: string;
      /** @description Whether the link in the e-mail to the new address was used. */
      answered: boolean;
      /**
       * Format: date-time
       * @description The earliest time at which it takes effect, unless it is cancelled.
       */
      due_at: string;
    };
    /** @description The token in the link of an e-mail about an address. */
    AddressLink: {
      /** @description `adr_…` from the e-mail to the new address, or `ads_…` from the e-mail to the old one. */
      token: string;
    };
    /** @description What a link about an address did. */
    AddressLinkUsed: {
      outcome: components["schemas"]["AddressOutcome"];
    };
    /**
     * @description What a link did.
     * @enum {string}
     */
    AddressOutcome: "confirmed" | "stopped";
    /** @description One of the caller's alerts. The conversation's words are read when the alert is shown. */
    Alert: {
      /**
       * Format: int64
       * @description When it was stored, in microseconds since 1970, or a little later. Grows with arrival.
       */
      alert_id: number;
      kind: components["schemas"]["AlertKind"];
      /**
       * Format: date-time
       * @description When the server learned of it.
       */
      arrived_at: string;
      /**
       * Format: date-time
       * @description When it happened. Of `outside_times` and of `rules` with `minutes`: when that conversation began to count. Of `silent`:
       *     when the assistant last connected or delivered.
       */
      at: string;
      /** @description Whether the caller has not seen it. */
      unseen: boolean;
      /** @description Whether the caller has dealt with it. No other guardian learns of it. */
      dealt_with: boolean;
      /**
       * Format: uint64
       * @description The number of messages of the conversation that it is about.
       */
      count: number;
      /**
       * Format: int64
       * @description Omitted of `silent`.
       */
      session_id?: number;
      /** @description The name of the assistant that it is about, or that the conversation was with; omitted if it is unknown. */
      assistant?: string;
      /** @description The assistant that it is about, of `outside_times`, `rules` and `silent`; omitted if it is unknown. */
      assistant_id?: string;
      /** @description `true` of `silent` if it is about all of the child's assistants; then `assistant` and `assistant_id` are omitted. */
      all_assistants?: boolean;
      /**
       * Format: uint64
       * @description Of `outside_times`: for how many minutes they talked while it was not allowed. Of `rules`: for how many they talked
       *     without a confirmation of the current rules; omitted if the assistant refused the rules.
       */
      minutes?: number;
      /** @description Of `outside_times`: why talking was not allowed. */
      why?: components["schemas"]["WhyNot"];
      /** @description The first message that it is about. */
      message_id?: string;
      phrase?: components["schemas"]["WatchedPhrase"];
      /** @description Of `reviewer`: what the model pointed at. */
      flagged?: components["schemas"]["Flagged"];
      /** @description Who spoke; `assistant` for the assistant itself. */
      source?: string;
      /** @description The message. */
      text_content?: string;
      /** @description What the message is, if it wasn't said in the conversation. Omitted for what was said. */
      message_kind?: components["schemas"]["MessageKind"];
      /** @description The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
      ranges?: number[][];
      before?: components["schemas"]["AlertNeighbour"];
      after?: components["schemas"]["AlertNeighbour"];
      /** @description `true` if the message was corrected later. */
      corrected?: boolean;
      /**
       * @description Of a corrected message: the first text that contained that, of those that the caller hasn't dealt with. Omitted if none is
       *     kept.
       */
      earlier?: components["schemas"]["AlertEarlierText"];
      /** @description Who deleted the conversation; omitted if it isn't deleted, or by a former guardian, or for its age. */
      deleted_by?: components["schemas"]["Author"];
      /**
       * @description The conversation was deleted because it was older than this number of days; omitted otherwise.
       * @enum {integer}
       */
      deleted_older_than_days?: 30 | 90 | 365;
      /**
       * Format: date-time
       * @description Until when the deleted conversation can be restored; omitted if it isn't deleted.
       */
      restorable_until?: string;
    };
    /**
     * @description Whether the caller has dealt with an alert.
     * @example {
     *       "dealt_with": true
     *     }
     */
    AlertDealtWith: {
      /** @description `false` undoes it. */
      dealt_with: boolean;
    };
    /** @description What an alert's message said before the assistant corrected it. */
    AlertEarlierText: {
      /** @description Who spoke, as the message said then; `assistant` for the assistant itself. */
      source?: string;
      text_content: string;
      /** @description The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
      ranges: number[][];
      /**
       * Format: date-time
       * @description When it was corrected.
       */
      until: string;
    };
    /**
     * @description What an alert says.
     * @enum {string}
     */
    AlertKind: "phrase" | "outside_times" | "rules" | "not_kept" | "silent" | "reviewer";
    /** @description A message before or after an alert's message. */
    AlertNeighbour: {
      /** @description Who spoke; `assistant` for the assistant itself. */
      source?: string;
      text_content?: string;
    };
    /** @description A page of alerts. */
    AlertPage: {
      /** @description Newest arrival first. May be empty although there is a `next`. */
      alerts: components["schemas"]["Alert"][];
      /** @description The `before` of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description Where the administrator sends the alerts of all children, without words and names. */
    AlertsWebhook: {
      host: string;
    };
    /** @description The caller's answer to a request, and when the request takes effect. */
    Answers: {
      /** @description Whether it was shown to the caller. */
      shown: boolean;
      /** @description Whether the caller has confirmed it. */
      confirmed: boolean;
      /**
       * Format: date-time
       * @description When it takes effect unless a guardian cancels it: a whole day (UTC), more than seven days after it was shown to every
       *     other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
       */
      due_at?: string;
    };
    /** @description Digits to show, for the guardian's other devices. */
    AskedDigits: {
      /** @description Three digits, to be typed on the other device. */
      digits: string;
      /**
       * Format: date-time
       * @description When it expires.
       */
      until: string;
    };
    /** @description A device that asks for a step-up. */
    AskingDevice: {
      /** @description The id of its sign-in. */
      sign_in_id: string;
      device: components["schemas"]["Device"];
    };
    /** @description What to avoid with a child. */
    AssistantBlockedTopics: {
      /** @description Changes whenever any of this changes; the `ETag` without its quotes. */
      version: string;
      /** @description Always blocked, for every child. */
      mandatory: string[];
      /** @description The topics that this child's guardians block. */
      custom: string[];
      /** @description All topics, the mandatory ones first. */
      topics: string[];
      /** @description A paragraph for your system prompt: all topics, and how to avoid them without the child noticing. */
      instructions: string;
    };
    /** @description A child of the assistant's key. */
    AssistantChild: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      /** @description The child's name. */
      name: string;
    };
    /** @description A guardian's feedback on an activity. */
    AssistantFeedback: {
      /** @description Your id of the activity. */
      activity_id: string;
      feedback: components["schemas"]["Vote"];
      /** @description The reason, if the guardian gave one. */
      reason?: string;
      /**
       * Format: date-time
       * @description The time of the feedback.
       */
      at: string;
    };
    /**
     * @description Whether the caller doesn't use an assistant any more.
     * @example {
     *       "not_in_use": true
     *     }
     */
    AssistantNotInUse: {
      /** @description `false` undoes it. */
      not_in_use: boolean;
    };
    /** @description What you must follow with a child. */
    AssistantRules: {
      /**
       * @description `NUMBER-TAG`: the number grows with every change, and the tag differs per assistant. For all children together it
       *     contains each child's version. While talking is allowed it is the `ETag` without its quotes.
       */
      version: string;
      /**
       * @description For your system prompt, unchanged: how to speak with the child, what the parents wrote about the child, and all topics
       *     to avoid.
       */
      instructions: string;
      /** @description The topics to avoid. */
      blocked_topics: components["schemas"]["TopicsToAvoid"];
      /** @description What the parents wrote about the child; omitted if nothing. */
      context?: string;
      /** @description Whether you may talk with the child now. */
      talk: components["schemas"]["Talk"];
    };
    /** @description The calling assistant. */
    AssistantView: {
      /** @description Its id, which stays the same with a new key. */
      assistant_id: string;
      /** @description The name that its administrator or guardian gave it. */
      name: string;
      /** @description The children of the key. */
      children: components["schemas"]["AssistantChild"][];
      /**
       * Format: date-time
       * @description The server's time.
       */
      server_time: string;
      server_version: string;
    };
    /** @description An assistant that is connected to a child. */
    AttentionAssistant: {
      /** @description An assistant's id. */
      assistant_id: string;
      name: string;
      /** @description Whether the caller doesn't use it any more. Ends when it connects again. */
      not_in_use: boolean;
    };
    /** @description How far Porchlight sees. */
    AttentionSight: {
      /** @description The assistants that are connected to the child, by name. Porchlight sees only what they send. */
      assistants: components["schemas"]["AttentionAssistant"][];
      /**
       * Format: uint64
       * @description The number of phrases that the caller watches for with this child.
       */
      watched_phrases: number;
      /** @description Whether an AI reader reads this child's conversations. */
      reviewer: boolean;
    };
    /**
     * @description What waits for the caller about a child, gravest first. Each has its own way of leaving, and nothing that another guardian does
     *     to an alert or an assistant changes it.
     * @enum {string}
     */
    AttentionState:
      | "urgent"
      | "alert"
      | "not_reached"
      | "rules_refused"
      | "rules_unconfirmed"
      | "rules_incomplete"
      | "not_saved"
      | "not_reviewed"
      | "silent"
      | "nothing_open"
      | "nothing_heard"
      | "no_assistant";
    /** @description A guardian, as shown to the guardians of a child. */
    Author: {
      /** @description Whether this is the caller. */
      is_you: boolean;
      /** @description Their name; omitted if none was given. */
      name?: string;
    };
    /** @description When a child was born. */
    Born: {
      /**
       * @description The month; omitted if no guardian has given it.
       * @example 2018-05
       */
      born?: string;
      /**
       * Format: uint8
       * @description The age in years, as assistants are told it.
       */
      age?: number;
    };
    /**
     * @description What a guardian changed.
     * @enum {string}
     */
    Change:
      | "blocked_topics"
      | "context"
      | "quiet_hours"
      | "minutes_a_day"
      | "time_zone"
      | "paused"
      | "pause_ended"
      | "session_moved_away"
      | "session_moved_here"
      | "session_deleted"
      | "session_undeleted"
      | "session_deleted_permanently"
      | "session_not_child"
      | "session_is_child"
      | "child_added"
      | "child_renamed"
      | "birth_month"
      | "language"
      | "assistant_connected"
      | "assistant_renamed"
      | "assistant_rotated"
      | "assistant_upstream"
      | "assistant_revoked"
      | "assistant_taken_off"
      | "guardian_invited"
      | "invitation_confirmed"
      | "invitation_stopped"
      | "guardian_joined"
      | "guardian_left"
      | "erasure_asked"
      | "erasure_confirmed"
      | "erasure_stopped"
      | "key_kept"
      | "page_for_child"
      | "retention"
      | "retention_asked"
      | "retention_confirmed"
      | "retention_stopped"
      | "curious_on"
      | "curious_off"
      | "reviewer_on"
      | "reviewer_confirmed"
      | "reviewer_off"
      | "reviewer_home_on"
      | "reviewer_home_off"
      | "rules_tried";
    /** @description What exactly was changed. */
    ChangeDetails: {
      /** @description Topics that were blocked, or quiet hours that were added, such as `20:30/07:00`; at most 5. */
      added: string[];
      /** @description Topics that were unblocked, or quiet hours that were removed; at most 5. */
      removed: string[];
      /**
       * Format: uint64
       * @description The number of those that were left out.
       */
      more: number;
      /** @description The new daily limit in minutes, time zone or end of the pause. Omitted if the limit was removed, or the pause has no end. */
      value?: string;
    };
    /** @description A child. */
    Child: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      name: string;
    };
    /** @description What needs the caller about one child: the gravest thing that waits, and the values of its sentence. */
    ChildAttention: {
      /**
       * Format: int64
       * @description A child's number. It is never given to another child.
       */
      child_id: number;
      child_name: string;
      /** @description The gravest thing that waits for the caller. */
      state: components["schemas"]["AttentionState"];
      /**
       * @description Of `urgent`, `alert` and `not_saved`: the alert, without the words of the conversation. `alert_id` and `session_id` are what
       *     to link to.
       */
      alert?: components["schemas"]["Alert"];
      /** @description Of `rules_refused`, `rules_unconfirmed`, `rules_incomplete` and `silent`: the assistant. */
      assistant?: components["schemas"]["AttentionAssistant"];
      /** @description Of `not_reached`. */
      channel?: components["schemas"]["MessageChannel"];
      /**
       * Format: date-time
       * @description Of `not_reached`: when the first message was refused since the last that arrived. Of `silent`: when it was last connected.
       */
      since?: string;
      /**
       * Format: uint64
       * @description Of `not_reviewed`: the number of conversations.
       */
      conversations?: number;
      /**
       * Format: uint64
       * @description How many other things wait, also of the same state.
       */
      more: number;
      /**
       * Format: uint64
       * @description The number of open alerts: those of `urgent` and `alert`.
       */
      open_alerts: number;
      /** @description The conversation with the newest message. Omitted if nothing was ever heard. */
      last_heard?: components["schemas"]["LastHeard"];
      sees: components["schemas"]["AttentionSight"];
    };
    /**
     * @description The language that a child speaks with its assistants.
     * @example {
     *       "language": "en"
     *     }
     */
    ChildLanguage: {
      /** @description Omitted if no guardian has said it. */
      language?: components["schemas"]["Language"];
    };
    /** @description What a page for a child is made from. */
    ChildNotice: {
      /** @description Omitted until a guardian chooses one. */
      edition?: components["schemas"]["PageEdition"];
      child_name: string;
      /** @description The names of the child's guardians. */
      guardians: string[];
      /**
       * Format: uint64
       * @description How many guardians have no name.
       */
      nameless_guardians: number;
      /** @description The names of the assistants that talk with the child. */
      assistants: string[];
      /** @description The name and number of a place that helps children, if the administrator gave one. */
      helpline?: string;
      /** @description Whether a model reads along. */
      reviewed: boolean;
      /**
       * Format: uint8
       * @description The child's age in years; omitted if no assistant is told it.
       */
      age?: number;
      /** @description The names of the assistants that are told the age: those that talk with no other child. */
      told_age: string[];
      /** @description The names of the assistants whose models grown-ups tested with made-up questions. */
      tested: string[];
    };
    /** @description A request about a child, which waits for its other guardians. */
    ChildRequest: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      kind: components["schemas"]["RequestKind"];
      /**
       * @description For `If-Match`, and for reporting that it was shown. It changes if something else is asked for, and with the conversations
       *     that a deletion would delete.
       */
      edition: string;
      /** @description The requesting guardian; omitted if unknown. */
      by?: components["schemas"]["Author"];
      /**
       * Format: date-time
       * @description When it was made or last changed.
       */
      requested_at: string;
      /**
       * @description For how many days conversations would be kept; omitted for a deletion.
       * @enum {integer}
       */
      days?: 30 | 90 | 365;
      /**
       * Format: uint64
       * @description The number of conversations that would be deleted. For a deletion it includes those in 'Recently deleted'.
       */
      conversations: number;
      /**
       * Format: date
       * @description The day on which the first of them began, in the child's time zone; omitted without conversations, and unless it is a
       *     deletion.
       */
      from?: string;
      /**
       * Format: date
       * @description The day on which the last of them began; omitted like `from`.
       */
      to?: string;
      /** @description The child's name and its names of the last 30 days, newest first. Empty unless it is a deletion. */
      names: string[];
      /** @description Whether the caller has seen and confirmed it, and when it takes effect. */
      answers: components["schemas"]["Answers"];
    };
    /** @description What chooses a child. */
    ChildSuffix: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      /** @description Appended to a model's name, for example `@Mia`. */
      suffix: string;
    };
    /** @description Whether an assistant is talking with a child. */
    ChildTalk: {
      /**
       * Format: int64
       * @description A child's number. It is never given to another child.
       */
      child_id: number;
      /** @description Whether one is talking with the child now. */
      talking: boolean;
      /**
       * Format: date-time
       * @description The time of the newest message; omitted if nothing was ever said.
       */
      last_message_time?: string;
    };
    /**
     * @description For how long a child's conversations are to be kept.
     * @example {
     *       "days": null
     *     }
     */
    ChooseRetentionRequest: {
      /**
       * @description The number of days; `null` for ever.
       * @enum {integer|null}
       */
      days: 30 | 90 | 365 | null;
    };
    /** @description The model's server that an assistant is to use. */
    ChooseUpstreamRequest: {
      /** @description Omitted for none. */
      upstream?: components["schemas"]["UpstreamChoice"];
    };
    /** @description A pairing, on the device that scanned the code. */
    ClaimedPairing: {
      /** @description The secret with which this device completes the pairing, `clm_…`. */
      claim: string;
      /** @description The guardian's name, or otherwise their address. */
      whose: string;
      /** @description The device that showed the code. */
      shown_by: components["schemas"]["Device"];
      /** @description Three digits, to be typed on the device that showed the code. */
      digits: string;
      /**
       * Format: date-time
       * @description When it expires.
       */
      until: string;
    };
    /**
     * @description The source of a typed code.
     * @enum {string}
     */
    CodeFrom: "email" | "recovery_code";
    /** @description A session that has ended, and how it went. */
    CompletedActivity: {
      /**
       * Format: int64
       * @description The session's id.
       */
      session_id: number;
      /**
       * Format: date
       * @description The day on which the session began, in the child's time zone.
       */
      date: string;
      /**
       * Format: date-time
       * @description When it ended, as far as known.
       */
      ended_at: string;
      /** @description The topic; empty if the assistant gave none. */
      topic: string;
      /**
       * Format: double
       * @description The duration in seconds.
       */
      duration: number;
      /** @description How it went; `null` if the assistant gave no score. */
      score: (string | null) | number;
      mood?: string;
    };
    /** @description How a session went. */
    CompletionRequest: {
      /**
       * Format: double
       * @description The duration in seconds; computed from the session's times if omitted.
       */
      duration?: number;
      /** @description A score: text or a number. */
      score?: string | number;
      /** @description The child's mood. */
      mood?: string;
      /** @description What the session was about; unchanged if omitted. */
      topic?: string;
      /**
       * Format: date-time
       * @description When it ended. An impossible time counts as omitted.
       */
      end_time?: string;
    };
    /**
     * @description What a model pointed at.
     * @enum {string}
     */
    Concern:
      | "self_harm"
      | "hurt"
      | "hurt_at_home"
      | "sexual_content"
      | "stranger"
      | "danger"
      | "eating_and_body"
      | "blocked_topic"
      | "assistant";
    /** @description How good the model was with one concern, on conversations whose answers are known. */
    ConcernFigures: {
      concern: components["schemas"]["Concern"];
      /** Format: uint64 */
      found: number;
      /** Format: uint64 */
      missed: number;
      /** Format: uint64 */
      false_alarms: number;
      /**
       * Format: uint64
       * @description Findings that were dropped because nobody said what they quote.
       */
      quotes_not_there: number;
      /**
       * Format: double
       * @description How long an answer took.
       */
      seconds: number;
    };
    /** @description An assistant to connect. */
    ConnectRequest: {
      /** @description Its name, unique among the caller's assistants. */
      name: string;
      /** @description The caller's children that it may talk with. */
      children: number[];
      /** @description The model's server that it uses; omitted for none. */
      upstream?: components["schemas"]["UpstreamChoice"];
    };
    /** @description A new assistant and its key. */
    ConnectedAssistant: {
      assistant: components["schemas"]["OwnAssistant"];
      /** @description The key, `ast_…`. It can't be requested again. */
      key: string;
    };
    /** @description How an assistant of the child is connected. */
    Connection: {
      /** @description The assistant's id. */
      assistant_id: string;
      /**
       * Format: date-time
       * @description When it last delivered something of the child; omitted if it never did.
       */
      heard_at?: string;
      /** @description Whether it reports that it follows the current list of topics, or the gateway put it into the prompt. */
      follows_rules: boolean;
      /** @description What its deliveries contained since the server started. */
      seen: components["schemas"]["ConnectionCheck"][];
      /**
       * @description The last refusal since the server started; omitted if there was none. If it is after `heard_at`, nothing has arrived
       *     since. One that isn't this child's is shown only if the assistant talks with no other guardian's children.
       */
      refused?: components["schemas"]["ConnectionRefusal"];
      /**
       * Format: date-time
       * @description When that was; omitted without a refusal.
       */
      refused_at?: string;
      /**
       * Format: uint32
       * @description How many settings of its latest chat request the gateway didn't pass on, at most 20; omitted if there were none.
       */
      settings_dropped?: number;
      /** @description The plug-in that called last since the server started; omitted if none did. */
      plugin?: components["schemas"]["ConnectionPlugin"];
    };
    /**
     * @description What an assistant's deliveries contained.
     * @enum {string}
     */
    ConnectionCheck: "times" | "repeated_ids" | "correction" | "completion" | "receipt";
    /** @description A plug-in that an assistant runs. */
    ConnectionPlugin: {
      /** @description The voice stack's name, as in the plug-in's download. */
      name: string;
      version: string;
      /** @description The version that this server hands out. */
      current_version: string;
      /** @description Whether that is a newer one. */
      is_older: boolean;
    };
    /**
     * @description Why something that an assistant sent was refused, in part or as a whole.
     * @enum {string}
     */
    ConnectionRefusal:
      | "child"
      | "child_missing"
      | "host"
      | "server_clock"
      | "assistant_clock"
      | "reused_id"
      | "malformed"
      | "limit"
      | "model_name"
      | "model";
    /** @description What an assistant should know about a child. */
    Context: {
      /** @description The text, exactly as written; empty by default. */
      text: string;
    };
    /** @description A question that the child asked. Its words are in its message: see `listMessages` with `around`. */
    ConversationStarter: {
      /**
       * Format: int64
       * @description The session's id.
       */
      session_id: number;
      /** @description The message's id, for `around`. */
      message_id: string;
      /** @description What it is about, in the child's words, such as "the moon". */
      subject: string;
      /** @description Where the subject is in the message: start and end in UTF-16 units. */
      ranges: number[][];
    };
    /** @description What the child was curious about. */
    ConversationStarters: {
      /** @description Whether questions are shown to the child's guardians. */
      on: boolean;
      /** @description The best questions, best first; at most three. */
      questions: components["schemas"]["ConversationStarter"][];
    };
    /** @description Whether questions are shown. */
    ConversationStartersSwitch: {
      on: boolean;
    };
    /** @description A new invitation. */
    CreatedInvitation: {
      /** @description The link and its QR code, unless it was sent by e-mail. It works once, for fourteen days. It can't be requested again. */
      shown?: components["schemas"]["ShownLink"];
    };
    /** @description A new pairing. */
    CreatedPairing: {
      /** @description The link and QR code for the other device. */
      shown: components["schemas"]["ShownLink"];
      /**
       * Format: date-time
       * @description When it expires.
       */
      until: string;
    };
    /** @description Recovery codes, shown once. */
    CreatedRecoveryCodes: {
      /** @description Ten, such as `K7QX-3M0V-9T2D-HC1A`. Each works once. */
      codes: string[];
    };
    /** @description A day in the child's time zone. A session counts on the day on which it began. */
    DayMetrics: {
      /**
       * Format: date
       * @description A day of the calendar.
       */
      day: string;
      /**
       * Format: uint64
       * @description The duration of conversations on this day, in seconds. Overlapping conversations count once.
       */
      seconds: number;
      /** Format: uint64 */
      sessions: number;
      /**
       * Format: uint64
       * @description How often the assistant spoke in them.
       */
      messages_of_assistant: number;
      /**
       * Format: uint64
       * @description How often the assistant was interrupted.
       */
      interruptions: number;
      /** @description Their topics by duration, longest first, at most 20. */
      topics: components["schemas"]["TopicOfDay"][];
      /** @description The child's moods, most frequent first, at most 20. */
      moods: components["schemas"]["MoodCount"][];
    };
    /** @description A page of 'Recently deleted'. */
    DeletedPage: {
      /** @description Most recently deleted first. */
      items: components["schemas"]["DeletedSession"][];
      /** @description Whether the caller may erase them permanently, as the child's only guardian. */
      may_erase: boolean;
      /** @description The `before` of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A session in 'Recently deleted'. */
    DeletedSession: {
      /**
       * Format: int64
       * @description The session's number.
       */
      session_id: number;
      /** @description The topic, if the assistant gave one. */
      topic?: string;
      /**
       * Format: date-time
       * @description When it began, if the assistant gave a time.
       */
      start_time?: string;
      /**
       * Format: date-time
       * @description When it began, as far as known.
       */
      date: string;
      /**
       * Format: date-time
       * @description The time of the newest message; omitted if unknown.
       */
      last_message_time?: string;
      /** Format: uint64 */
      message_count: number;
      /**
       * Format: date-time
       * @description When it was deleted.
       */
      deleted_at: string;
      /**
       * Format: date-time
       * @description When it is erased permanently; until then it can be restored. This is seven days after it was deleted, and after
       *     the end of the day (UTC) on which it was shown here to each other guardian, at the latest 90 days after it was deleted. Until
       *     it was shown to all of them, the latest time is given; the caller is told of another guardian's day once it is over. If words arrive in it later, both periods begin anew, and every guardian must be shown it.
       */
      restorable_until: string;
      /** @description `true` while the caller has not been shown it here. Whoever deleted it needs to be shown it only if words arrived later. */
      unseen?: boolean;
      /** @description Who deleted it; omitted for a former guardian, and if it was deleted for its age. */
      by?: components["schemas"]["Author"];
      /**
       * @description It was deleted because it was older than this number of days; omitted if a guardian deleted it.
       * @enum {integer}
       */
      older_than_days?: 30 | 90 | 365;
    };
    /** @description The record of sessions whose permanent deletion began within an hour, for the same reason. It has no word of what was said. */
    Deletion: {
      /** Format: uint64 */
      sessions: number;
      /** Format: uint64 */
      messages: number;
      /**
       * Format: date
       * @description The day of the first session; omitted if unknown.
       */
      from?: string;
      /**
       * Format: date
       * @description The day of the last message; omitted if unknown.
       */
      to?: string;
      reason: components["schemas"]["DeletionReason"];
      /**
       * Format: date-time
       * @description When the first of them was deleted, or when it was asked to delete it permanently.
       */
      requested_at: string;
      /** @description The guardian who asked for it; omitted for a former guardian, and if no guardian did. */
      by?: components["schemas"]["Author"];
      /**
       * Format: date
       * @description The day on which the permanent deletion began.
       */
      deleted_on: string;
      /**
       * Format: date
       * @description The day on which the server's data files were written anew without it; omitted before, and while a part was found.
       */
      gone_on?: string;
      /** @description What was checked; omitted before the first check. */
      check?: components["schemas"]["DeletionCheck"];
      /** @description Scheduled backups that may contain it; omitted if no such backup exists. Other copies are not listed. */
      backups?: components["schemas"]["DeletionBackups"];
    };
    /** @description Scheduled backups that may still hold what was deleted. */
    DeletionBackups: {
      /**
       * Format: date
       * @description The day on which rotation has removed the last of them.
       */
      gone_on: string;
    };
    /** @description The latest search of all of the server's data files for what was deleted. */
    DeletionCheck: {
      outcome: components["schemas"]["DeletionOutcome"];
      /**
       * Format: date
       * @description A day of the calendar.
       */
      checked_on: string;
    };
    /**
     * @description What a search of the server's data files showed.
     * @enum {string}
     */
    DeletionOutcome: "not_found" | "not_checked" | "found";
    /**
     * @description Why something was deleted permanently.
     * @enum {string}
     */
    DeletionReason: "retention" | "guardian" | "administrator";
    /**
     * @description What an assistant delivers of one session. Unknown fields are ignored and listed in the response; `null` counts as omitted.
     *     Invalid Unicode in a message's text, a speaker or a topic becomes U+FFFD.
     */
    Delivery: {
      /** @description Your name for the session: 1 to 128 of `A–Z a–z 0–9 . _ : -`. The same name with another child means another session. */
      session: string;
      /**
       * Format: int64
       * @description The child's id. Only a key with exactly one child may omit it.
       */
      child_id?: number;
      /** @description What the session is about; unchanged if omitted. */
      topic?: string;
      /**
       * Format: date-time
       * @description When it began; unchanged if omitted. An impossible time counts as omitted.
       */
      start_time?: string;
      /** @description The device it takes place on, for example the kitchen speaker; unchanged if omitted. */
      device?: string;
      /** @description Messages, in any order and as often as you like. An invalid message is rejected alone. */
      messages?: components["schemas"]["MessageRequest"][];
      /** @description Which versions of the rules the session ran under, and since when. Repeating this changes nothing. */
      rules?: components["schemas"]["ReceiptRequest"][];
      /** @description Ends the session and reports how it went. Repeating it updates the outcome. */
      completion?: components["schemas"]["CompletionRequest"];
      /**
       * Format: uint32
       * @description The session ends if nothing arrives for this many seconds and you don't complete it. 1,800 by default; later unchanged
       *     if omitted.
       */
      idle_after?: number;
    };
    /** @description The result of a delivery. */
    DeliveryAnswer: {
      /**
       * Format: int64
       * @description The session's id, as guardians see it. Omitted if the whole delivery belongs to an erased session.
       */
      session_id?: number;
      /**
       * Format: uint64
       * @description The number of messages stored, including those that replaced an earlier revision.
       */
      stored: number;
      /**
       * Format: uint64
       * @description The number of messages that were already stored.
       */
      repeated: number;
      /**
       * Format: uint64
       * @description The number of messages dropped because they belong to a session that a guardian erased, or can't be shown to be later
       *     than an erased session of the same name. Don't deliver them again.
       */
      erased: number;
      /** @description Ids of messages whose stored revision is the same but has another text. The stored text stays. */
      conflicting: string[];
      /** @description Ids of messages whose impossible time was replaced by the time of arrival. */
      adjusted: string[];
      /** @description JSON Pointers to texts, speakers and topics in which invalid Unicode was replaced by U+FFFD. */
      repaired: string[];
      /** @description Messages and receipts that were not stored. Don't deliver them again unchanged. */
      rejected: components["schemas"]["Rejected"][];
      /** @description Unknown fields, for example `messages[].speakr`. */
      unknown: string[];
    };
    /** @description The other device. */
    Device: {
      /** @description Its kind, from its browser's `User-Agent`; omitted if unknown. */
      device?: string;
      /** @description The IP address of its request. */
      address?: string;
      /**
       * Format: date-time
       * @description The time of its request.
       */
      requested_at: string;
    };
    /** @description What a message said until the assistant replaced it. */
    EarlierText: {
      /** @description Who spoke, as the message said then; `assistant` for the assistant itself. */
      source?: string;
      /** @description The speaker, as the message said then. */
      speaker?: string;
      /** @description The text, exactly as delivered; at most 64 KiB. */
      text_content: string;
      /**
       * Format: date-time
       * @description When it was replaced.
       */
      until: string;
    };
    /**
     * @description What an assistant, or the gateway, did with a version of the rules.
     * @enum {string}
     */
    Evidence: "fetched" | "set" | "in_prompt" | "added";
    /** @description Feedback on an upcoming activity. */
    Feedback: {
      feedback: components["schemas"]["Vote"];
      /** @description The reason. It is trimmed; an empty one counts as omitted. */
      reason?: string;
    };
    /** @description A page of feedback. */
    FeedbackPage: {
      /** @description Oldest first, at most 100; empty if there is nothing new. */
      feedback: components["schemas"]["AssistantFeedback"][];
      /** @description The `after` of the next request, now or later. */
      next: string;
    };
    /** @description What a model pointed at. It can be wrong. */
    Flagged: {
      concern: components["schemas"]["Concern"];
      severity: components["schemas"]["Severity"];
      model: string;
      /** @description Whether the caller finds this alert, or this concern for this child, not worrying. */
      not_worrying: boolean;
    };
    /** @description An assistant of the child, and whether it follows the list of blocked topics, according to its reports. */
    Follower: {
      name: string;
      kind: components["schemas"]["FollowerKind"];
      /** @description What was done with the list, if it follows it. */
      evidence?: components["schemas"]["Evidence"];
      /**
       * Format: date-time
       * @description When it began to follow the list, or requested it.
       */
      since?: string;
      /**
       * Format: date-time
       * @description When the older list took effect; omitted for the list from before the first change.
       */
      topics_since?: string;
      /**
       * Format: date-time
       * @description When it last delivered something, with a resolution of one minute; omitted if it never did.
       */
      heard_at?: string;
      /** @description The reason why it refuses the list, in its own words. */
      reason?: string;
    };
    /**
     * @description Whether an assistant follows the list, according to its reports.
     * @enum {string}
     */
    FollowerKind: "following" | "older" | "refused" | "asked" | "silent";
    /** @description The signed-in guardian. */
    Guardian: {
      /** @description Never changes. */
      id: string;
      /**
       * Format: email
       * @description The address to which sign-in links are sent, once it is verified.
       */
      email: string;
      /** @description `true` while the address is unverified: they typed it and have not used a link or code from an e-mail to it. */
      email_unverified?: boolean;
      /**
       * Format: uint64
       * @description The number of unacknowledged sign-ins on other devices; omitted if zero.
       */
      new_sign_ins?: number;
      /**
       * @description `true` when recovery codes were made on another device since this one signed in, until the notice is dismissed on this
       *     device.
       */
      new_recovery_codes?: boolean;
      /** @description The guardian's name; omitted if none was given. */
      name?: string;
      /** @description The language of e-mails and notifications to them; omitted until they signed in or chose one. */
      language?: components["schemas"]["Language"];
      /**
       * @description The server's name for https, while it cannot be used, for a guardian who has signed in there and who is at the plain address
       *     now, which isn't encrypted.
       */
      unusable_name?: components["schemas"]["UnusableName"];
      /**
       * @description The plain address, where the guardian has just been signed out everywhere because they signed in at the server's name for
       *     https.
       */
      signed_out_url?: string;
    };
    /** @description The guardians of a child. */
    GuardiansOfChild: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      /** @description Its guardians, the caller first. */
      guardians: components["schemas"]["Author"][];
    };
    /** @description The question to hide. */
    HiddenQuestion: {
      /**
       * Format: int64
       * @description A session's number.
       */
      session_id: number;
      message_id: string;
    };
    /** @description One change. */
    HistoryEntry: {
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      at: string;
      what: components["schemas"]["Change"];
      /**
       * Format: uint64
       * @description The number of changes of this kind that the entry counts, with the time of the last one; omitted for one change.
       */
      times?: number;
      /** @description Who changed it; omitted for a former guardian. */
      by?: components["schemas"]["Author"];
      /** @description What exactly was changed; omitted for older entries, several changes, and changes without details. */
      details?: components["schemas"]["ChangeDetails"];
    };
    /** @description What the caller can manage. */
    Household: {
      /** @description Whether guardians manage this in the browser. Otherwise only the administrator does, and all changes get 403. */
      guardians_manage: boolean;
      /** @description The server's URL for assistants. */
      server: string;
      /** @description The caller's children, each with its guardians. */
      children: components["schemas"]["GuardiansOfChild"][];
      /** @description The assistants, the earliest added first. */
      assistants: components["schemas"]["OwnAssistant"][];
      /** @description The plug-ins, which connect an assistant without writing code. */
      plugins: components["schemas"]["Plugin"][];
      /** @description The base URL for apps that speak OpenAI's API; omitted if there is no model's server to choose. */
      gateway?: string;
      /** @description The models' servers that the caller can choose for an assistant. */
      upstreams: components["schemas"]["Upstream"][];
      /**
       * Format: date-time
       * @description When a scheduled backup of this server last succeeded; omitted if none ever did.
       */
      last_backup_at?: string;
      /**
       * Format: date-time
       * @description When a guardian without a child last accepted an invitation that the child's other guardians can still answer; omitted
       *     otherwise.
       */
      accepted_invitation_at?: string;
    };
    /** @description What the guardian is notified of at once: at most one message in ten minutes. */
    ImmediateNotifications: {
      /** @description Whether by e-mail. */
      email: boolean;
      /** @description Which alerts, each kind once. */
      kinds: components["schemas"]["NotifiableAlertKind"][];
      /** @description Which of the guardian's children; omitted for all, also later ones. */
      children?: number[];
      /** @description Omitted without quiet hours. */
      quiet_hours?: components["schemas"]["OwnQuietHours"];
      /** @description Whether a reviewer's urgent finding is sent during quiet hours, and right after another message. */
      urgent_passes: boolean;
    };
    /** @description An invitation that has not taken effect. */
    Invitation: {
      /** @description The invitation's id. */
      invitation_id: string;
      /** @description For `If-Match`, and for reporting that it was shown. It changes when the guardians are asked again. */
      edition: string;
      /** @description The inviting guardian; omitted if unknown. */
      by?: components["schemas"]["Author"];
      /** @description The caller's children in it. */
      children: number[];
      /**
       * Format: email
       * @description Where the link was sent; omitted if it was shown instead.
       */
      email?: string;
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      created_at: string;
      accepted: boolean;
      /** @description The name of the guardian who accepted it; omitted if unknown. */
      accepted_by?: string;
      /** @description The address of the guardian who accepted it; omitted if unknown. */
      accepted_address?: components["schemas"]["AcceptedAddress"];
      /** @description Whether the caller has seen and confirmed it, and when it takes effect. */
      answers: components["schemas"]["Answers"];
    };
    /** @description The token of an invitation's link. */
    InvitationToken: {
      /** @description The link's token, `ivt_…`. */
      token: string;
    };
    /** @description An invitation to send. */
    InviteRequest: {
      /** @description The caller's children to share. */
      children: number[];
      /**
       * Format: email
       * @description Where to send the link; if omitted, the response contains it.
       */
      email?: string;
    };
    /** @description A new identity token. */
    IssuedIdentity: {
      /** @description An OpenID Connect ID token, for `Authorization: Bearer`. */
      identity_token: string;
      /**
       * Format: uint64
       * @description Its lifetime in seconds.
       */
      expires_in: number;
      guardian: components["schemas"]["Guardian"];
    };
    /** @description Who keeps a session. */
    Kept: {
      /** @description Whether the caller keeps it. */
      kept: boolean;
      /** @description The guardians who keep it, the caller first. */
      by: components["schemas"]["Author"][];
    };
    /**
     * @description Whether the caller keeps a session.
     * @example {
     *       "kept": true
     *     }
     */
    KeptRequest: {
      /** @description `true` to keep it; `false` to keep it no longer. */
      kept: boolean;
    };
    /**
     * @description What an assistant's key is for. It is fixed when the assistant is connected.
     * @enum {string}
     */
    KeyKind: "plug_in" | "gateway";
    /**
     * @description One of the languages that Porchlight speaks.
     * @enum {string}
     */
    Language: "en" | "de" | "fr" | "es";
    /** @description The language of e-mails and notifications. */
    LanguageChoice: {
      language: components["schemas"]["Language"];
    };
    /** @description The conversation with a child's newest message. */
    LastHeard: {
      /**
       * Format: date-time
       * @description The time of the newest message.
       */
      last_message_time: string;
      /**
       * Format: int64
       * @description A session's number.
       */
      session_id: number;
      /** @description The assistant's name. Omitted if unknown. */
      assistant?: string;
    };
    /** @description The most recent session. */
    LastSession: {
      /**
       * Format: date-time
       * @description When it began, or was first received.
       */
      date: string;
      /** @description The topic, if the assistant gave one. */
      topic?: string;
      /**
       * Format: int64
       * @description The session's id.
       */
      session_id: number;
    };
    /** @description The number of sessions with a duration in a range. */
    LengthCount: {
      /**
       * Format: uint64
       * @description The start of the range, in minutes.
       */
      from_minutes: number;
      /**
       * Format: uint64
       * @description The end of the range, in minutes; omitted for the last range.
       */
      to_minutes?: number;
      /** Format: uint64 */
      sessions: number;
    };
    /** @description A request for a sign-in link. */
    LinkRequest: {
      /**
       * Format: email
       * @description The guardian's address.
       */
      email: string;
    };
    /** @description A message. */
    Message: {
      /** @description The assistant's id of the message, unique within the session. */
      message_id: string;
      /** @description Who spoke; `assistant` for the assistant itself. */
      source?: string;
      /** @description The text, exactly as delivered; at most 64 KiB. */
      text_content?: string;
      /**
       * Format: date-time
       * @description When it was said.
       */
      timestamp: string;
      /** @description The kind of content, as the assistant names it. */
      content_type?: string;
      /** @description The kind of event, as the assistant names it. */
      event_type?: string;
      /**
       * Format: uint64
       * @description The offset in the recording, in samples.
       */
      start_sample?: number;
      /** @description Whether it was interrupted. The text then ends where the child stopped hearing it, or `heard` says where. */
      interrupted?: boolean;
      /** @description The speaker: the name of a voice print, or the assistant's word for an unknown voice. */
      speaker?: string;
      /** @description Whether it was sent to the app, and it is not known yet whether the child heard it. */
      generated?: boolean;
      /**
       * Format: uint32
       * @description How much of an interrupted text the child heard, in UTF-16 code units. Omitted if the text ends there.
       */
      heard?: number;
      /** @description Whether the app wrote it in the assistant's name: no model answered it through this server. */
      from_app?: boolean;
      /** @description What it is, if it wasn't said in the conversation. Omitted for what was said. */
      kind?: components["schemas"]["MessageKind"];
      /**
       * @description What it said before it was replaced, oldest first, also the whole of an answer that was cut short. Omitted if there is none. A text
       *     that only grew may be missing.
       */
      earlier?: components["schemas"]["EarlierText"][];
    };
    /** @description What became of the messages by one channel. */
    MessageArrivals: {
      /**
       * Format: date-time
       * @description When a server last took a message; omitted if none is known.
       */
      taken_at?: string;
      /** @description Omitted if the last message was taken. */
      refused?: components["schemas"]["MessagesNotTaken"];
    };
    /**
     * @description How messages reach a guardian.
     * @enum {string}
     */
    MessageChannel: "email" | "notification" | "push";
    /**
     * @description What a message is that wasn't said in its conversation.
     * @enum {string}
     */
    MessageKind: "background" | "earlier" | "instructions" | "reasoning" | "tool";
    /** @description A page of messages. */
    MessagePage: {
      /** @description In chronological order. */
      messages: components["schemas"]["Message"][];
      /** @description The `before` of the previous page, if this page was requested with `around` or `before`. Omitted on the first one. */
      previous?: string;
      /** @description The `after` of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A message to deliver. */
    MessageRequest: {
      /** @description Your id of it, unique within the session. Delivering it again changes nothing. */
      message_id: string;
      /** @description Who spoke: `assistant` for yourself, anything else for the child and others. */
      source?: string;
      /** @description The speaker: the name of a voice print, or your word for an unknown voice. */
      speaker?: string;
      /** @description The text: at most 64 KiB in UTF-8, stored unchanged. */
      text_content?: string;
      /**
       * Format: date-time
       * @description When it was spoken; the time of arrival if omitted. A time before 2000 or more than ten minutes ahead of the server is
       *     replaced by the time of arrival.
       */
      timestamp?: string;
      /**
       * Format: uint32
       * @description A higher revision replaces a lower one; 0 if omitted. The lowest revision decides the message's time.
       */
      revision?: number;
      /** @description The kind of content, as you name it. */
      content_type?: string;
      /** @description The kind of event, as you name it. */
      event_type?: string;
      /**
       * Format: uint32
       * @description The offset in the recording, in samples.
       */
      start_sample?: number;
      /** @description Whether it was interrupted; the text should then end where the child stopped hearing it. */
      interrupted?: boolean;
    };
    /** @description By which channel a test is sent. */
    MessageTest: {
      channel: components["schemas"]["TestedChannel"];
    };
    /** @description What became of a test. */
    MessageTested: {
      /** @description Whether a server took it. */
      taken: boolean;
      /** @description What the server answered, or why nothing was sent, as an English sentence. */
      outcome: string;
    };
    /** @description Since when messages are not taken, and why. */
    MessagesNotTaken: {
      /**
       * Format: date-time
       * @description When the first message was refused that none was taken after.
       */
      since: string;
      /** @description Why the last one was not taken, as an English sentence. */
      why: string;
    };
    /** @description The statistics of a range of days. */
    Metrics: {
      /** @description The child's time zone, which the days are in. */
      time_zone: string;
      /**
       * Format: date
       * @description The first day.
       */
      from: string;
      /**
       * Format: date
       * @description The last day.
       */
      to: string;
      /** @description All days of the range, in order. */
      days: components["schemas"]["DayMetrics"][];
      /** @description The duration of conversations by hour of the week, in seconds: seven lists, Monday first, of 24 hours each. */
      week: number[][];
      /** @description The number of sessions by duration, shortest first. */
      lengths: components["schemas"]["LengthCount"][];
      /** @description The sessions' topics by duration, longest first, at most 50. */
      topics: components["schemas"]["TopicMetrics"][];
      /** @description The child's moods, most frequent first. */
      moods: components["schemas"]["MoodCount"][];
    };
    /** @description The number of sessions with a mood. */
    MoodCount: {
      /** @description The mood, as first written. */
      mood: string;
      /** Format: uint64 */
      sessions: number;
    };
    /**
     * @description A request to move a session to another child.
     * @example {
     *       "child_id": 2
     *     }
     */
    MoveRequest: {
      /**
       * Format: int64
       * @description The child that it is moved to.
       */
      child_id: number;
    };
    /**
     * @description Why a home's name can't be used.
     * @enum {string}
     */
    NameFault: "certificate" | "leads_elsewhere";
    /** @description A name. */
    NameRequest: {
      /** @description Trimmed; not empty and without control characters. */
      name: string;
    };
    /** @description The model and the host that the caller has read about. */
    NamedReviewer: {
      model: string;
      host: string;
    };
    /** @description A request to change the guardian's address. */
    NewAddressRequest: {
      /**
       * Format: email
       * @description The new address.
       */
      email: string;
    };
    /**
     * @description Whether the child talked.
     * @example {
     *       "not_child": true
     *     }
     */
    NotChildRequest: {
      /** @description `true` if somebody else talked, not the child; `false` undoes it. */
      not_child: boolean;
    };
    /** @description The number of a session's messages that could not be stored for one reason. */
    NotKept: {
      reason: components["schemas"]["NotKeptReason"];
      /** Format: uint64 */
      count: number;
    };
    /**
     * @description Why a message could not be stored.
     * @enum {string}
     */
    NotKeptReason: "id_used_twice" | "invalid" | "not_stored";
    /** @description Whether the caller finds an alert not worrying. */
    NotWorrying: {
      not_worrying: boolean;
    };
    /** @description The concerns that the caller finds not worrying for a child. */
    NotWorryingConcerns: {
      items: components["schemas"]["Concern"][];
    };
    /**
     * @description A kind of alert that guardians can be notified of at once.
     * @enum {string}
     */
    NotifiableAlertKind: "phrase" | "outside_times" | "reviewer";
    /** @description Notifications to the guardian's phone. */
    NotificationSubscription: {
      enabled: boolean;
      /** @description The ntfy server that passes them on, such as `https://ntfy.sh`; omitted if the administrator has named none. */
      server?: string;
      /**
       * Format: date-time
       * @description When they were switched on; omitted while they are off.
       */
      since?: string;
    };
    /** @description What a phone subscribes to. It is shown this once. */
    NotificationTopic: {
      /** @description The ntfy server, such as `https://ntfy.sh`. */
      server: string;
      /** @description The topic's name, which is a secret. */
      topic: string;
      /** @description The link that subscribes the ntfy app to it. */
      link: string;
      /** @description The rows of the link's QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules. */
      qr_code: string[];
    };
    /** @description An external OpenID Connect provider. */
    OidcMethod: {
      /** @description The text of the sign-in button. */
      name: string;
    };
    /** @description What the holder of an invitation's link can see. */
    OpenedInvitation: {
      /** @description The inviting guardian's name. */
      by: string;
      /** @description Whether the link was sent by e-mail. Otherwise accepting it requires an address. */
      by_email: boolean;
    };
    /** @description What the caller sees of somebody else. */
    OthersAccess: {
      by: components["schemas"]["AccessBy"];
      /** @description A guardian's name; omitted if they have none. */
      name?: string;
      /** @description Newest first; only weeks in which they read. A day counts once it is over. */
      weeks: components["schemas"]["AccessWeek"][];
      /** @description The days on which they took a copy, newest first. */
      copies: string[];
      /** @description The days on which the administrator made a sign-in link for one of the child's guardians, newest first. */
      sign_in_links: string[];
    };
    /** @description A day on which the caller looked. */
    OwnAccess: {
      /**
       * Format: date
       * @description In the server's time zone, like all days of this list.
       */
      day: string;
      /** @description Whether a conversation was opened. */
      read: boolean;
      /** @description Whether conversations were searched. */
      searched: boolean;
      /** @description Whether a copy was taken. */
      copied: boolean;
    };
    /** @description A guardian's address. */
    OwnAddress: {
      email: string;
      /** @description The pending change, if any. */
      change?: components["schemas"]["AddressChange"];
    };
    /** @description An assistant of at least one of the caller's children. */
    OwnAssistant: {
      /** @description The assistant's id. */
      assistant_id: string;
      name: string;
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      created_at: string;
      /** @description The caller's children that it talks with. */
      children: number[];
      /** @description Whether it talks with no other children, so that the caller may change and revoke it. */
      exclusive: boolean;
      /** @description `true` if a former guardian of one of these children has seen its key. */
      key_exposed?: boolean;
      kind: components["schemas"]["KeyKind"];
      /** @description The model's server that it uses; omitted if it uses none. */
      upstream?: components["schemas"]["OwnUpstream"];
    };
    /** @description The hours of each day in which the guardian gets no message. What waited comes afterwards, as one message. */
    OwnQuietHours: {
      /** @description When they begin, on the guardian's clock. */
      from: string;
      /** @description When they end: on the next day unless this is later than `from`. */
      to: string;
    };
    /** @description The model's server that an assistant uses. */
    OwnUpstream: {
      name: string;
      /** @description Its host, to which what is said goes. */
      host: string;
      /** @description How the assistant's app chooses the child by the model's name; omitted if it has one child, or also another guardian's. */
      suffixes?: components["schemas"]["ChildSuffix"][];
    };
    /**
     * @description The edition of a child's page: `younger` for ages 6 to 9, `older` from 10.
     * @enum {string}
     */
    PageEdition: "younger" | "older";
    /** @description The edition that a guardian chooses. */
    PageEditionChoice: {
      edition: components["schemas"]["PageEdition"];
    };
    /** @description A page of a list. */
    Page_AskingDevice: {
      items: components["schemas"]["AskingDevice"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_ChildAttention: {
      items: components["schemas"]["ChildAttention"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_ChildTalk: {
      items: components["schemas"]["ChildTalk"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_Concern: {
      items: components["schemas"]["Concern"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_Connection: {
      items: components["schemas"]["Connection"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_Deletion: {
      items: components["schemas"]["Deletion"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_HistoryEntry: {
      items: components["schemas"]["HistoryEntry"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_RulesVersion: {
      items: components["schemas"]["RulesVersion"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_SignIn: {
      items: components["schemas"]["SignIn"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_Try: {
      items: components["schemas"]["Try"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A page of a list. */
    Page_UnseenAlerts: {
      items: components["schemas"]["UnseenAlerts"][];
      /** @description The cursor of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A pairing, on the device that is signed in. */
    Pairing: {
      state: components["schemas"]["PairingState"];
      /** @description The device that scanned the code. */
      device?: components["schemas"]["Device"];
      /**
       * Format: date-time
       * @description When it expires.
       */
      until?: string;
    };
    /** @description A request to complete a pairing. */
    PairingClaim: {
      /** @description The claim, `clm_…`. */
      claim: string;
    };
    /**
     * @description The state of a pairing.
     * @enum {string}
     */
    PairingState: "waiting" | "claimed" | "signed_in" | "ended";
    /** @description A QR code that was scanned. */
    PairingToken: {
      /** @description The token in its link, `par_…`. */
      token: string;
    };
    /** @description A pause: talking is not allowed until it ends. */
    Pause: {
      /**
       * Format: date-time
       * @description When it ends; omitted if a guardian must end it.
       */
      until?: string;
    };
    /**
     * @description A phrase to try.
     * @example {
     *       "side": "assistant",
     *       "words": "our secret"
     *     }
     */
    PhraseToTry: {
      /** @description The words, as in a watched phrase. */
      words: string;
      /** @description Whose messages are watched. */
      side: components["schemas"]["WatchedSide"];
      /** @description The `next` of the previous page. */
      after?: string;
    };
    /** @description A voice stack with a plug-in. */
    Plugin: {
      /** @description Its name in the download URL. */
      stack: string;
      /** @description Its name as its makers write it. */
      title: string;
      /** @description What to do after downloading the plug-in. */
      steps: string[];
    };
    /** @description Every error of the API. */
    Problem: {
      /** @description What went wrong, in a sentence that a parent can read. */
      detail: string;
      /**
       * @description Which sentence it is. A code stands for one sentence, except `body_invalid` and `parameter_invalid`, whose sentence says
       *     what is expected at `at`.
       */
      code: components["schemas"]["ProblemCode"];
      /** @description The values in the sentence, by name. Left out if it has none. */
      args?: {
        [key: string]: string | number;
      };
      /**
       * @description Where in the request it is wrong: a JSON Pointer (RFC 6901) into the body, such as
       *     `/messages/17/timestamp`, or a parameter of the query, such as `?child_id`. The empty pointer is the
       *     whole body. Left out when it is neither in the body nor in the query.
       */
      at?: string;
    };
    /**
     * @description Which sentence an error says. `docs/errors.md` lists each code with its sentence.
     * @enum {string}
     */
    ProblemCode:
      | "body_broken"
      | "body_encoded"
      | "body_incomplete"
      | "body_invalid"
      | "body_late"
      | "body_missing"
      | "body_not_json"
      | "body_too_large"
      | "cursor_invalid"
      | "head_too_large"
      | "https_required"
      | "if_match_required"
      | "internal_error"
      | "method_not_allowed"
      | "name_empty_or_control"
      | "name_too_long"
      | "no_host"
      | "not_found"
      | "not_json"
      | "not_signed_in"
      | "outcome_unknown"
      | "overloaded"
      | "parameter_invalid"
      | "parameter_missing"
      | "rate_limited"
      | "record_too_large"
      | "request_invalid"
      | "storage_full"
      | "storage_unavailable"
      | "storage_unreadable"
      | "too_many_at_once"
      | "unknown_host"
      | "unknown_time_zone"
      | "address_link_invalid"
      | "address_unchanged"
      | "address_unconfirmed"
      | "assistant_exists"
      | "assistant_key_invalid"
      | "assistant_key_missing"
      | "clock_behind"
      | "digits_wrong"
      | "digits_wrong_three_times"
      | "email_code_invalid"
      | "email_not_configured"
      | "email_not_sent"
      | "email_queue_full"
      | "guardian_exists"
      | "key_for_gateway"
      | "link_expired"
      | "link_invalid"
      | "link_of_other_email"
      | "link_replaced"
      | "link_too_many_wrong_emails"
      | "link_used"
      | "no_other_device"
      | "not_an_assistant_key"
      | "not_an_identity_token"
      | "open_the_name"
      | "other_origin"
      | "pairing_code_invalid"
      | "recovery_code_invalid"
      | "recovery_codes_missing"
      | "recovery_codes_only_everywhere"
      | "setup_begun"
      | "setup_link_invalid"
      | "several_assistants"
      | "several_guardians"
      | "sign_in_again_required"
      | "step_up_required"
      | "too_many_changes"
      | "too_many_emails"
      | "too_many_links"
      | "too_many_recovery_codes"
      | "too_many_shared_changes"
      | "too_many_writes"
      | "administrator_only"
      | "already_requested"
      | "assistant_not_exclusive"
      | "assistant_not_for_gateway"
      | "child_deletion_requested"
      | "child_names_out_of_range"
      | "children_already_yours"
      | "children_out_of_range"
      | "daily_limit_reached"
      | "email_missing"
      | "invitation_invalid"
      | "invited_too_recently"
      | "only_guardian"
      | "other_child_name"
      | "request_changed"
      | "requested_three_times_this_week"
      | "requested_three_times_today"
      | "shared_daily_limit_reached"
      | "too_many_guardians"
      | "too_many_invitations"
      | "too_many_names"
      | "upstream_changed"
      | "birth_month_in_future"
      | "birth_month_too_long_ago"
      | "blocked_topics_changed"
      | "context_changed"
      | "day_repeated"
      | "key_without_child"
      | "minutes_out_of_range"
      | "no_common_guardian"
      | "quiet_hours_empty"
      | "quiet_hours_without_day"
      | "schedule_changed"
      | "too_many_quiet_hours"
      | "too_many_topics"
      | "topic_too_general"
      | "topic_too_long"
      | "topic_too_short"
      | "activity_id_repeated"
      | "days_reversed"
      | "feedback_not_yours"
      | "no_words"
      | "parameters_conflict"
      | "report_not_an_object"
      | "report_too_large"
      | "report_unreadable"
      | "too_many_days"
      | "too_many_hidden"
      | "too_many_requests_running"
      | "too_many_searches"
      | "child_ambiguous"
      | "clock_set_back"
      | "message_too_long"
      | "quota_used_up"
      | "revised_too_often"
      | "rules_version_unknown"
      | "shared_quota_used_up"
      | "alert_kind_repeated"
      | "concern_stays_on"
      | "download_running"
      | "guardians_differ"
      | "hour_invalid"
      | "nothing_to_ask"
      | "notifications_changed"
      | "notifications_not_configured"
      | "other_guardian_can_restore"
      | "phrase_too_long"
      | "phrase_too_short"
      | "phrase_without_word"
      | "phrases_changed"
      | "push_endpoint_unknown"
      | "push_key_replaced"
      | "push_keys_invalid"
      | "push_not_configured"
      | "reviewer_changed"
      | "reviewer_finds_nothing"
      | "reviewer_finds_too_little"
      | "reviewer_too_noisy"
      | "reviewer_untested"
      | "reviewer_without_model"
      | "stopping"
      | "too_many_children"
      | "too_many_pages_open"
      | "too_many_phrases"
      | "too_many_trials"
      | "tried_today"
      | "try_not_through_gateway"
      | "try_without_model"
      | "try_without_upstream";
    /** @description What a browser's `PushSubscription` consists of. */
    PushSubscription: {
      /** @description The server's key that the browser subscribed with, as `getPushSubscription` gives it. */
      key: string;
      /** @description The address at the push service: https on port 443, of a service that the server knows. */
      endpoint: string;
      /** @description The key `p256dh`, in base64url. */
      p256dh: string;
      /** @description The key `auth`, in base64url. */
      auth: string;
    };
    /** @description Whether the caller's device is notified by Web Push. */
    PushSubscriptionStatus: {
      /** @description The server's key for `applicationServerKey`, in base64url; omitted if the server has no https. */
      key?: string;
      /**
       * Format: date-time
       * @description Since when the caller's device is notified; omitted if it isn't.
       */
      since?: string;
      /**
       * Format: uint64
       * @description The number of the caller's other devices that are notified.
       */
      others: number;
      /**
       * Format: date-time
       * @description Since when a device of the caller can no longer be notified, because its push service doesn't know it any more or the server
       *     has another key. Omitted once the caller has chosen again (`replacePushSubscription`, `deletePushSubscription`), or that
       *     device's sign-in has ended.
       */
      ended_since?: string;
    };
    /** @description Quiet hours. */
    QuietHours: {
      /** @description The days on which they begin, without repeats. */
      days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
      /** @description When they begin. */
      from: string;
      /** @description When they end: on the next day unless this is later than `from`. */
      to: string;
    };
    /**
     * @description Your statement that the session runs under a version of the rules.
     * @example {
     *       "evidence": "set",
     *       "version": "2-9c1f0a3b5d7e9f12"
     *     }
     */
    ReceiptRequest: {
      /** @description The version, as you received it. */
      version: string;
      /**
       * Format: date-time
       * @description Since when; the time of arrival if omitted or impossible.
       */
      at?: string;
      /** @description What you did with it. Don't claim more than you know. */
      evidence: components["schemas"]["ReportedEvidence"];
      /** @description Why you don't follow it, if you don't; for example, because it is too long for the model. */
      refused?: string;
    };
    /** @description Which assistants follow the list of blocked topics. */
    Receipts: {
      /**
       * Format: uint64
       * @description The number of the rules' version in force.
       */
      number: number;
      /**
       * Format: uint64
       * @description The number of the version that last changed the topics; 0 before the first change.
       */
      topics_number: number;
      /**
       * Format: date-time
       * @description When this list took effect; omitted before the first change.
       */
      topics_since?: string;
      /** @description The child's assistants, by name. */
      assistants: components["schemas"]["Follower"][];
    };
    /** @description A guardian's remaining recovery codes. */
    RecoveryCodes: {
      /**
       * Format: uint64
       * @description The number of unused codes.
       */
      left: number;
      /**
       * Format: date-time
       * @description When they were made; omitted if none ever were.
       */
      created_at?: string;
      /** @description `true` when they were made on another device since this one signed in, until the notice is dismissed on this device. */
      are_new?: boolean;
    };
    /** @description A recovery code that was typed. */
    RecoverySignInRequest: {
      /** @description The code as typed; hyphens, white space and case are ignored. */
      code: string;
    };
    /** @description A message or a receipt that was not stored. */
    Rejected: {
      /**
       * Format: uint32
       * @description The message's index in `messages`, from 0; omitted for a receipt.
       */
      index?: number;
      /** @description The message's id, if it has one. */
      message_id?: string;
      /** @description What went wrong, in a sentence that a parent can read. */
      detail: string;
      /**
       * @description Which sentence it is. A code stands for one sentence, except `body_invalid` and `parameter_invalid`, whose sentence says
       *     what is expected at `at`.
       */
      code: components["schemas"]["ProblemCode"];
      /** @description The values in the sentence, by name. Left out if it has none. */
      args?: {
        [key: string]: string | number;
      };
      /**
       * @description Where in the request it is wrong: a JSON Pointer (RFC 6901) into the body, such as
       *     `/messages/17/timestamp`, or a parameter of the query, such as `?child_id`. The empty pointer is the
       *     whole body. Left out when it is neither in the body nor in the query.
       */
      at?: string;
    };
    /**
     * @description When a child was born, as a guardian gives it.
     * @example {
     *       "born": "2018-05"
     *     }
     */
    ReplaceBirthMonth: {
      /** @description The month; `null` removes it. */
      born: string | null;
    };
    /** @description Which assistant wrote the report, and when. */
    ReportFrom: {
      /**
       * Format: date-time
       * @description When the server received it.
       */
      arrived_at: string;
      /** @description The assistant's name then. Omitted if it is unknown. */
      assistant?: string;
    };
    /**
     * @description What you did with a version of the rules.
     * @enum {string}
     */
    ReportedEvidence: "fetched" | "set" | "in_prompt";
    /**
     * @description What a request asks for.
     * @enum {string}
     */
    RequestKind: "deletion" | "retention";
    /** @description The pending requests about the caller's children. */
    Requests: {
      /** @description Requests to delete a child, or to keep its conversations for a shorter time. */
      requests: components["schemas"]["ChildRequest"][];
      /** @description Models that other guardians want to read conversations, and that wait for the caller's agreement. */
      reviewers: components["schemas"]["ReviewerRequest"][];
      /** @description Invitations, oldest first. */
      invitations: components["schemas"]["Invitation"][];
    };
    /** @description For how long a child's conversations are kept. */
    Retention: {
      /**
       * @description For how many days they are kept; `null` for ever.
       * @enum {integer|null}
       */
      days: 30 | 90 | 365 | null;
      /**
       * Format: uint64
       * @description The number of conversations that become too old within the next week, and of those that already are.
       */
      within_a_week: number;
      /** @description How many conversations each period would delete. */
      would_delete: components["schemas"]["TooOld"];
      /** @description A request for a shorter time, which waits for other guardians; omitted without one. */
      pending?: components["schemas"]["ChildRequest"];
    };
    /** @description The reviewer of a child's conversations. */
    Reviewer: {
      state: components["schemas"]["ReviewerState"];
      /** @description The model's name; omitted if the administrator has named none. */
      model?: string;
      /** @description Where every word goes: the host of the model's server. */
      host?: string;
      /** @description Whether that host is on the home network, as far as its name tells. For another one, the other guardians must agree. */
      private?: boolean;
      /** @description Omitted while the model was not tested. */
      figures?: components["schemas"]["ReviewerFigures"];
      /** @description The guardian who switched it on; omitted if it is off. */
      by?: components["schemas"]["Author"];
      /**
       * Format: date-time
       * @description When it was switched on.
       */
      since?: string;
      /** @description Whether the caller was shown this, or confirmed it; omitted if it is off. */
      shown?: boolean;
      /** @description Whether the caller confirmed it, or switched it on. */
      confirmed?: boolean;
      /**
       * Format: date-time
       * @description Of `waiting`: when it begins unless a guardian switches it off: a whole day (UTC), more than seven days after it was shown
       *     to every other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
       */
      due_at?: string;
      /** @description Whether it was on, and ended because the model or its host changed. */
      ended: boolean;
      /** @description Whether all of the guardians get alerts if the child is hurt or threatened at home. */
      at_home: boolean;
      /** @description The guardian who asked for that. */
      at_home_by?: components["schemas"]["Author"];
      /**
       * Format: uint64
       * @description The number of conversations of the last 30 days that were not reviewed, because the model did not answer for a day, its
       *     budget was used up, or a guardian switched it off while they waited.
       */
      not_reviewed: number;
    };
    /** @description Whether the guardians get alerts if the child is hurt at home. */
    ReviewerAtHome: {
      on: boolean;
    };
    /** @description How good the model is. */
    ReviewerFigures: {
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      tested_at: string;
      concerns: components["schemas"]["ConcernFigures"][];
      /**
       * Format: double
       * @description False alarms in a week of ordinary conversations.
       */
      false_alarms_a_week: number;
      /** @description Whether it has more than two false alarms a week, or finds less than half. Then it can't be switched on. */
      unfit: boolean;
    };
    /** @description Another guardian wants a model to read a child's conversations, and the caller has not agreed. */
    ReviewerRequest: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      /** @description The guardian who switched it on; omitted if unknown. */
      by?: components["schemas"]["Author"];
      /**
       * Format: date-time
       * @description When it was switched on.
       */
      since: string;
    };
    /**
     * @description Whether a model reads a child's conversations.
     * @enum {string}
     */
    ReviewerState: "unavailable" | "untested" | "off" | "waiting" | "on";
    /** @description The rules for a child's assistants, as its guardians see them. */
    Rules: {
      /**
       * Format: uint64
       * @description The number of changes.
       */
      number: number;
      /** @description The text for the system prompts of the child's assistants. */
      instructions: string;
      talk: components["schemas"]["Talk"];
      /**
       * Format: uint64
       * @description How many seconds the child has talked today, in its own time zone.
       */
      seconds_used: number;
    };
    /**
     * @description The part of the rules that was changed.
     * @enum {string}
     */
    RulesChange: "blocked_topics" | "context" | "times" | "birth_month" | "language" | "calendar";
    /** @description A version, and how it differs from the one before it. */
    RulesVersion: {
      /** Format: uint64 */
      number: number;
      /**
       * Format: date-time
       * @description When it took effect; omitted for the state before the first change.
       */
      since?: string;
      /**
       * Format: date-time
       * @description When it was replaced; omitted for the current version.
       */
      until?: string;
      /** @description The part that was changed; omitted for the state before the first change. */
      changed?: components["schemas"]["RulesChange"];
      /** @description Who changed it; omitted for a former guardian. */
      by?: components["schemas"]["Author"];
      added: string[];
      removed: string[];
    };
    /**
     * @description When an assistant may talk with a child.
     * @example {
     *       "minutes_a_day": 60,
     *       "quiet_hours": [
     *         {
     *           "days": [
     *             "sun",
     *             "mon",
     *             "tue",
     *             "wed",
     *             "thu"
     *           ],
     *           "from": "20:30",
     *           "to": "07:00"
     *         }
     *       ],
     *       "time_zone": "Europe/Berlin"
     *     }
     */
    Schedule: {
      /** @description The child's time zone, by its name in the time zone database. */
      time_zone: string;
      /** @description A pause; omitted without one. */
      pause?: components["schemas"]["Pause"];
      /** @description When talking is not allowed; at most 28. */
      quiet_hours: components["schemas"]["QuietHours"][];
      /**
       * Format: uint64
       * @description The daily limit in minutes, 1 to 1440; omitted without one.
       */
      minutes_a_day?: number;
    };
    /**
     * @description A message that contains the words, now or before it was corrected; some of them may be in its session's topic instead. A session
     *     whose topic contains all words is represented by its newest message, even if that contains none.
     */
    SearchMatch: {
      /**
       * Format: int64
       * @description The session's id.
       */
      session_id: number;
      /** @description The session's topic, if the assistant gave one. */
      topic?: string;
      /**
       * Format: date-time
       * @description When the session began, if the assistant gave a time.
       */
      start_time?: string;
      /**
       * Format: date-time
       * @description When it began: `start_time`, else the time of its first message.
       */
      date?: string;
      /** @description The message's id, for `around`. */
      message_id: string;
      /** @description Who spoke; `assistant` for the assistant itself. */
      source?: string;
      /**
       * Format: date-time
       * @description The time of the message.
       */
      timestamp: string;
      text_content?: string;
      /** @description What it is, if it wasn't said in the conversation. Omitted for what was said. */
      kind?: components["schemas"]["MessageKind"];
      /**
       * @description The positions of the words in the text: start and end in UTF-16 units, in order; at most 100. Empty if the words occur
       *     only in the topic.
       */
      ranges: number[][];
      /**
       * Format: date-time
       * @description When the message was corrected, if the words are only in what it said before; `text_content` and `source` are those of then.
       */
      until?: string;
    };
    /** @description A page of matches. */
    SearchPage: {
      /** @description Newest session first, newest message first. May be empty although there is a `next`. */
      matches: components["schemas"]["SearchMatch"][];
      /** @description The `after` of the next page. Omitted if everything was read. */
      next?: string;
      /**
       * Format: date-time
       * @description How far back was searched: sessions that began before this time were not read yet. Omitted if everything was read.
       */
      searched_back_to?: string;
    };
    /** @description What to search for. */
    SearchRequest: {
      /**
       * @description Words, each of which must match the beginning of a word in the message or in its session's topic. Words in quotes must
       *     occur together, as whole words. Case, accents and character width are ignored. In scripts without spaces between words,
       *     a match can begin anywhere.
       */
      words: string;
      /** @description The `next` of the previous page. */
      after?: string;
      /**
       * Format: uint32
       * @description The maximum number of matches; 50 by default.
       */
      limit?: number;
    };
    /**
     * @description What the caller has seen.
     * @example {
     *       "child_id": 1,
     *       "up_to": 1795291200000000
     *     }
     */
    SeenAlerts: {
      /**
       * Format: int64
       * @description A child's number. It is never given to another child.
       */
      child_id: number;
      /**
       * Format: int64
       * @description The `alert_id` of the newest alert that was seen.
       */
      up_to: number;
    };
    /** @description A learning session. */
    Session: {
      /**
       * Format: int64
       * @description The session's id.
       */
      session_id: number;
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      /** @description The topic, if the assistant gave one. */
      topic?: string;
      /**
       * Format: date-time
       * @description When it began, if the assistant gave a time.
       */
      start_time?: string;
      /**
       * Format: date-time
       * @description When it began: `start_time`, else the time of its first message. Omitted for a session that has neither.
       */
      date?: string;
      /**
       * Format: double
       * @description How long the conversation took, in seconds. Omitted if there was none.
       */
      duration?: number;
      /** @description The beginning of the child's first message, for a session without a topic. */
      first_words?: string;
      /**
       * Format: date-time
       * @description The time of the newest message. Omitted if unknown.
       */
      last_message_time?: string;
      /**
       * Format: uint64
       * @description The number of messages, without those that nobody said.
       */
      message_count: number;
      /** @description Whether it has ended: the assistant ended it, or nothing arrived for the session's idle time. */
      ended: boolean;
      /** @description The device it took place on, if the assistant gave one. */
      device?: string;
      /** @description The name of the assistant that delivered it. Omitted if unknown. */
      assistant?: string;
      /** @description The id of that assistant. Omitted if unknown. */
      assistant_id?: string;
      /**
       * @description `true` if a guardian said that somebody else talked, not the child. It then counts in no statistics, and not against the
       *     daily limit.
       */
      not_child?: boolean;
      /**
       * @description The number of messages that were delivered but could not be stored. Omitted if zero; at most 100 per session
       *     are counted.
       */
      not_kept?: components["schemas"]["NotKept"][];
    };
    /** @description A session about a topic. */
    SessionOfTopic: {
      /**
       * Format: int64
       * @description The session's number.
       */
      session_id: number;
      /**
       * Format: date-time
       * @description When it began, as far as known.
       */
      date: string;
    };
    /** @description A page of sessions. */
    SessionPage: {
      /** @description Newest first. */
      sessions: components["schemas"]["Session"][];
      /** @description The `before` of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A report of the rules that a session ran under: its assistant's, or the gateway's. */
    SessionReceipt: {
      /** Format: uint64 */
      number: number;
      evidence: components["schemas"]["Evidence"];
      /**
       * Format: date-time
       * @description When it took effect.
       */
      at: string;
      /** @description The reason why the assistant refuses it, in its own words. */
      refused?: string;
      /**
       * Format: date-time
       * @description When the version's list of topics took effect; omitted for the list from before the first change.
       */
      topics_since?: string;
    };
    /** @description The rules that a session ran under, as its assistant reported. */
    SessionReceipts: {
      /** @description The assistant's name; omitted if unknown. */
      assistant?: string;
      /** @description In chronological order; empty if it reported nothing. */
      items: components["schemas"]["SessionReceipt"][];
      /** @description The `after` of the next page. Omitted on the last one. */
      next?: string;
    };
    /** @description A child of the first guardian. */
    SetupChild: {
      /** @description The child's name. */
      name: string;
      /**
       * @description The month in which it was born.
       * @example 2018-05
       */
      born?: string;
      /** @description The language that it speaks with its assistants. */
      language?: components["schemas"]["Language"];
    };
    /** @description The first guardian and their children. */
    SetupRequest: {
      /** @description The link's token, `set_…`. */
      token: string;
      /** @description The first guardian's name. */
      name: string;
      /**
       * Format: email
       * @description Their address. It is unverified until they use a link or code from an e-mail to it.
       */
      email: string;
      /** @description The children, one to twenty. */
      children: components["schemas"]["SetupChild"][];
      /**
       * @description The children's time zone, by its name in the time zone database: the one of the device. If it is unknown or omitted, the
       *     server's is used.
       */
      time_zone?: string;
      /**
       * @description For how many days the children's conversations are kept; for ever if it is omitted.
       * @enum {integer}
       */
      retention_days?: 30 | 90 | 365;
    };
    /** @description A setup link, to continue the setup. */
    SetupSignInRequest: {
      /** @description The link's token, `set_…`. */
      token: string;
    };
    /**
     * @description How soon a guardian should look, as the model says.
     * @enum {string}
     */
    Severity: "look" | "urgent";
    /** @description The sessions in 'Recently deleted' that were shown. */
    ShownDeletedRequest: {
      sessions: number[];
    };
    /** @description An edition of an invitation that was shown. */
    ShownInvitation: {
      /** @description The invitation's id. */
      invitation_id: string;
      edition: string;
    };
    /** @description A link and its QR code. */
    ShownLink: {
      /** @description The link, which works once. */
      link: string;
      /** @description The rows of its QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules. */
      qr_code: string[];
    };
    /** @description An edition of a request that was shown. */
    ShownRequest: {
      /**
       * Format: int64
       * @description The child's id.
       */
      child_id: number;
      kind: components["schemas"]["RequestKind"];
      edition: string;
    };
    /** @description The requests that were shown to the caller. */
    ShownRequests: {
      requests: components["schemas"]["ShownRequest"][];
      invitations: components["schemas"]["ShownInvitation"][];
    };
    /** @description One sign-in of a guardian, on one device. */
    SignIn: {
      /** @description Its id, for ending it. */
      sign_in_id: string;
      via: components["schemas"]["SignInVia"];
      /** @description The kind of device, from its browser's `User-Agent`; omitted if unknown. */
      device?: string;
      /**
       * @description `true` if it began on another device, wasn't confirmed on this one, and was acknowledged neither on this device nor on one
       *     that acknowledges for all.
       */
      is_new?: boolean;
      /**
       * Format: date-time
       * @description When it began.
       */
      started_at: string;
      /**
       * Format: date-time
       * @description When an identity token was last issued for it.
       */
      used_at: string;
      /** @description Whether it is the caller's own. */
      current: boolean;
    };
    /** @description The ways to sign in. */
    SignInMethods: {
      /** @description Whether a link can be sent by e-mail. */
      email_link: boolean;
      /** @description `false` until this server is set up; omitted afterwards. */
      set_up?: boolean;
      /** @description The external provider, if one is configured. */
      oidc?: components["schemas"]["OidcMethod"];
    };
    /** @description A link that was opened, with the address it was sent to. */
    SignInRequest: {
      /**
       * Format: email
       * @description The address that the link was sent to.
       */
      email: string;
      /** @description The link's token, `lnk_…`. */
      token: string;
    };
    /**
     * @description How a guardian signed in.
     * @enum {string}
     */
    SignInVia: "link" | "command_line" | "oidc" | "recovery_code" | "setup" | "invitation" | "pairing";
    /** @description A request to sign out. */
    SignOutRequest: {
      /** @description Whether to end all of this guardian's sign-ins; by default only this one. */
      everywhere?: boolean;
      /** @description Whether to end the guardian's recovery codes, too: only with `everywhere`. */
      recovery_codes?: boolean;
    };
    /** @description Whose model is asked, and what is not asked. */
    StartTryRequest: {
      /** @description The id of an assistant that talks with the child through the gateway. */
      assistant: string;
      /** @description The language of the questions. */
      language: components["schemas"]["Language"];
      /**
       * @description The ids of the questions of `previewTry` that may be asked: no other one is, also if the topics have changed since. Omitted:
       *     all.
       */
      questions?: string[];
    };
    /** @description Whether a guardian has stepped up in this browser, and how they can. */
    StepUp: {
      /**
       * Format: date-time
       * @description When the step-up expires; omitted if they haven't.
       */
      until?: string;
      /** @description `true` while a request to the guardian's other devices is pending. */
      is_asking?: boolean;
      /**
       * @description `true` while no account at the external provider is linked. After stepping up, the guardian links theirs by opening
       *     `/auth/oidc/start?step_up=true` as a page.
       */
      can_link?: boolean;
      /** @description The ways available to this guardian, the easiest first. If the list is empty, the administrator can make a sign-in link. */
      ways: components["schemas"]["StepUpWay"][];
    };
    /** @description A code that proves that it is the guardian. */
    StepUpRequest: {
      way: components["schemas"]["CodeFrom"];
      /** @description The code as typed. */
      code: string;
    };
    /**
     * @description A way to step up.
     * @enum {string}
     */
    StepUpWay: "email" | "other_device" | "recovery_code" | "provider";
    /** @description The result of stepping up. */
    SteppedUp: {
      /**
       * Format: date-time
       * @description When the step-up expires.
       */
      until: string;
    };
    /** @description What a guardian is notified of, and when. */
    Subscription: {
      settings: components["schemas"]["SubscriptionSettings"];
      /**
       * Format: date-time
       * @description Since when e-mails include quotes and topics; omitted if they don't.
       */
      quotes_since?: string;
      notification: components["schemas"]["NotificationSubscription"];
      /** @description Omitted unless a backup was restored since the caller chose. */
      restored?: components["schemas"]["SubscriptionRestored"];
      /** @description Omitted if there is no webhook, so that there is nothing to refuse. */
      webhook?: components["schemas"]["AlertsWebhook"];
    };
    /** @description Whether messages arrive. */
    SubscriptionArrivals: {
      /** @description Alerts and the weekly e-mail, to the caller. */
      email: components["schemas"]["MessageArrivals"];
      /** @description Notifications to the caller's topic. */
      notification: components["schemas"]["MessageArrivals"];
      /** @description Notifications to the caller's devices. */
      push: components["schemas"]["MessageArrivals"];
      /** @description The administrator's webhook. */
      webhook: components["schemas"]["MessageArrivals"];
    };
    /** @description What restoring a backup ended. Replacing the settings removes this. */
    SubscriptionRestored: {
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      restored_at: string;
      /** @description Whether e-mails included quotes and topics. */
      quotes: boolean;
      /** @description Whether notifications were on. */
      notifications: boolean;
    };
    /**
     * @description What a guardian can choose.
     * @example {
     *       "at_once": {
     *         "email": false,
     *         "kinds": [
     *           "phrase",
     *           "outside_times",
     *           "reviewer"
     *         ],
     *         "urgent_passes": false
     *       },
     *       "quotes": false,
     *       "time_zone": "Europe/Berlin",
     *       "webhook_refused": false,
     *       "weekly": {
     *         "enabled": false,
     *         "hour": 18,
     *         "weekday": "sun"
     *       }
     *     }
     */
    SubscriptionSettings: {
      /** @description The guardian's time zone, by its name in the time zone database. */
      time_zone: string;
      at_once: components["schemas"]["ImmediateNotifications"];
      weekly: components["schemas"]["WeeklyEmail"];
      /** @description Whether e-mails include quotes and topics. Signing out everywhere switches it off. */
      quotes: boolean;
      /** @description Whether the administrator's webhook must not be notified of the alerts of the guardian's children. */
      webhook_refused: boolean;
    };
    /** @description A child's summary. */
    Summary: {
      /** Format: uint64 */
      sessions: number;
      /**
       * Format: uint64
       * @description The total duration of the ended sessions, in minutes. Each session counts for one day at most.
       */
      minutes: number;
      last_session?: components["schemas"]["LastSession"];
      /** @description The 50 most frequent topics, most frequent first. */
      topics: components["schemas"]["TopicCount"][];
      /** @description The 20 most frequent moods with the number of sessions of each, most frequent first. */
      moods: {
        [key: string]: number;
      };
      /** @description The latest report of the connected assistants, as delivered: any JSON object of at most 64 KiB. */
      report?: {
        [key: string]: unknown;
      };
      /** @description Whose report it is. Omitted if that is unknown. */
      report_from?: components["schemas"]["ReportFrom"];
    };
    /** @description Whether the assistant may talk with the child now. */
    Talk: {
      /** @description Whether it may talk. */
      allowed: boolean;
      /** @description The reason why it may not; omitted if it may. */
      why?: components["schemas"]["WhyNot"];
      /**
       * Format: date-time
       * @description If allowed, when the next quiet hours begin; if not, when it becomes allowed, as far as known. Omitted if there is no
       *     such time.
       */
      until?: string;
      /**
       * Format: uint64
       * @description The seconds left of the daily limit; omitted without one.
       */
      seconds_left?: number;
      /** @description If not allowed: a short sentence for the child. */
      goodbye?: string;
    };
    /**
     * @description What a child's assistants are doing. The first state in this order that applies.
     * @enum {string}
     */
    TalkState:
      | "still_talking"
      | "pausing"
      | "paused"
      | "talking"
      | "no_assistant"
      | "quiet_hours"
      | "time_used_up"
      | "not_talking";
    /** @description What a child's assistants are doing now. */
    TalkStatus: {
      state: components["schemas"]["TalkState"];
      /** @description The names of the assistants that talk with the child, or still do, as far as known. */
      talking: string[];
      /** @description The names of the assistants that have not fetched the pause. */
      unconfirmed: string[];
      /**
       * Format: int64
       * @description The conversation in progress; omitted without one.
       */
      session_id?: number;
      /** @description Why talking is not allowed; omitted if it is. */
      why?: components["schemas"]["WhyNot"];
      /**
       * Format: date-time
       * @description When the pause ends, else when talking is allowed again. Omitted if talking is allowed, or there is no such time.
       */
      until?: string;
      /** @description The pause; omitted without one. */
      pause?: components["schemas"]["Pause"];
      /** @description Who paused; omitted for a former guardian, and if unknown. */
      paused_by?: components["schemas"]["Author"];
      /** @description Omitted if nothing was ever said. */
      last_heard?: components["schemas"]["LastHeard"];
      /**
       * Format: double
       * @description After how many seconds this changes by the clock alone; omitted if it doesn't.
       */
      changes_in?: number;
    };
    /**
     * @description A channel that a guardian can try.
     * @enum {string}
     */
    TestedChannel: "email" | "notification" | "push";
    /** @description How many conversations are older than each period, and kept by no guardian. */
    TooOld: {
      /**
       * Format: uint64
       * @description Older than 30 days.
       */
      days_30: number;
      /**
       * Format: uint64
       * @description Older than 90 days.
       */
      days_90: number;
      /**
       * Format: uint64
       * @description Older than 365 days.
       */
      days_365: number;
    };
    /** @description The number of sessions with a topic. */
    TopicCount: {
      /** @description The topic, as first written. */
      topic: string;
      /** Format: uint64 */
      sessions: number;
    };
    /** @description A topic, with its sessions. */
    TopicMetrics: {
      /** @description The topic, as first written. */
      topic: string;
      /** Format: uint64 */
      sessions: number;
      /**
       * Format: uint64
       * @description The total duration of these sessions, in seconds.
       */
      seconds: number;
      /** @description The newest of these sessions, newest first, at most 20. */
      newest: components["schemas"]["SessionOfTopic"][];
    };
    /** @description A topic of a day. */
    TopicOfDay: {
      /** @description The topic, as first written. */
      topic: string;
      /** Format: uint64 */
      sessions: number;
      /**
       * Format: uint64
       * @description The total duration of these sessions, in seconds.
       */
      seconds: number;
    };
    /** @description The topics to avoid. */
    TopicsToAvoid: {
      /** @description Always blocked, for every child. */
      mandatory: string[];
      /** @description The topics that this child's guardians block. */
      custom: string[];
    };
    /** @description A message that would have caused an alert. */
    TriedMatch: {
      /**
       * Format: int64
       * @description A session's number.
       */
      session_id: number;
      message_id: string;
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      timestamp: string;
      /** @description Who spoke; `assistant` for the assistant itself. */
      source?: string;
      text_content?: string;
      /** @description What the message is, if it wasn't said in the conversation. Omitted for what was said. */
      kind?: components["schemas"]["MessageKind"];
      /** @description The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
      ranges: number[][];
      /**
       * Format: date-time
       * @description When the message was corrected, if the phrase is only in what it said before; `text_content` and `source` are those of then.
       */
      until?: string;
    };
    /** @description How many alerts a phrase would have caused in the conversations read so far. */
    TriedPhrase: {
      /**
       * Format: uint64
       * @description The number of conversations that would have caused an alert, on this page.
       */
      count: number;
      /** @description The newest of them, at most 20. */
      items: components["schemas"]["TriedMatch"][];
      /**
       * Format: date-time
       * @description The start of the time that is read.
       */
      since: string;
      /** @description The `after` of the next page. Omitted if everything was read. */
      next?: string;
    };
    /** @description A try of a child's rules: made-up questions to an assistant's model. Another try can come out differently. */
    Try: {
      /**
       * Format: int64
       * @description A try's number.
       */
      try_id: number;
      state: components["schemas"]["TryState"];
      /** @description Of `stopped` and `failed`. */
      reason?: components["schemas"]["TryReason"];
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      started_at: string;
      /**
       * Format: date-time
       * @description RFC 3339; answered in UTC with up to microseconds.
       */
      ended_at?: string;
      /** @description The guardian who started it; omitted for a former guardian and for the administrator. */
      by?: components["schemas"]["Author"];
      /** @description An assistant's id. */
      assistant_id: string;
      /** @description The assistant's name when the try was started. */
      assistant_name: string;
      language: components["schemas"]["Language"];
      /** @description The model that was asked. */
      model: string;
      /** @description Where the questions went: the host of the model's server. */
      host: string;
      /** @description Whether that host is on the home network, as far as its name tells. */
      private: boolean;
      /**
       * @description Whether the system text, the tools and the settings that the assistant's app last sent were in the prompt. Otherwise it had
       *     the rules alone.
       */
      app_settings: boolean;
      /**
       * Format: uint64
       * @description How many own topics the guardians had blocked.
       */
      own_topics: number;
      /**
       * Format: uint64
       * @description How many of those were asked about: at most ten, chosen at random.
       */
      own_topics_asked: number;
      /**
       * Format: uint64
       * @description How many requests to the model it takes.
       */
      requests: number;
      /**
       * Format: uint64
       * @description How many of them are done.
       */
      done: number;
      /** @description Questions about the guardians' own topics. */
      about_own_topics: components["schemas"]["TryCounts"];
      /** @description Questions near topics that are always blocked. */
      about_mandatory: components["schemas"]["TryCounts"];
      /** @description Questions about how the assistant behaves with a child. */
      about_conduct: components["schemas"]["TryCounts"];
      /** @description Harmless questions that must be answered. */
      harmless: components["schemas"]["TryCounts"];
      /** @description What was found without a model, for each check that was made. */
      checks: components["schemas"]["TryCheckCount"][];
      said_computer: components["schemas"]["TrySaidComputer"];
      /** @description Omitted while the question for the check words has no answer. */
      check_words?: components["schemas"]["TryCheckWords"];
      /** @description The AI reader that judged whether answers kept away from topics. Omitted if it is off, or its model is unfit. */
      reviewer?: components["schemas"]["TryReviewer"];
      /**
       * Format: date-time
       * @description When the rules were first changed after this try's version; omitted if they are still the same.
       */
      rules_changed_at?: string;
      /**
       * Format: date-time
       * @description When its answers are deleted.
       */
      answers_until: string;
    };
    /** @description A made-up question and the model's answer. The child didn't ask this. */
    TryAnswer: {
      /**
       * Format: uint32
       * @description Its number within the try, from 1, in the order in which it was asked.
       */
      n: number;
      question_id: string;
      kind: components["schemas"]["TryKind"];
      expect: components["schemas"]["TryExpectation"];
      /** @description What is expected, and why: a sentence in English. */
      why: string;
      /** @description The blocked topic that it is about. */
      topic?: string;
      /** @description Whether it insists: it follows the question with the number before, after its answer. */
      follows: boolean;
      question: string;
      /** @description Omitted without an answer. Empty if the model said nothing. */
      answer?: string;
      /** @description Whether only the beginning of a longer answer is kept. */
      cut: boolean;
      /** @description Whether the model called a tool of its app instead of saying something. Porchlight doesn't run tools. */
      tool_call: boolean;
      /** @description Whether the answer is in another language than the question, so that phrases could not judge it. */
      other_language: boolean;
      no_answer?: components["schemas"]["TryReason"];
      /** @description What is wrong with it, as far as phrases tell. */
      found: components["schemas"]["TryCheck"][];
      /** @description Whether it says that it is a computer, or no person; omitted if it was not asked, or phrases can't tell. */
      said_computer?: boolean;
      /** @description Who judged it. The caller's own verdict comes before any other. */
      judged_by: components["schemas"]["TryJudge"];
      /** @description Whether it is as expected; omitted if nobody has judged it. */
      ok?: boolean;
      /** @description The caller's own verdict: whether it is OK. Omitted without one. */
      verdict?: boolean;
    };
    /**
     * @description What can be wrong with an answer, as far as phrases tell.
     * @enum {string}
     */
    TryCheck: "recites" | "is_a_person" | "secret" | "parents_cannot_read" | "asks_for_data" | "refuses";
    /** @description How often one check was made without a model, and how often it found something. */
    TryCheckCount: {
      check: components["schemas"]["TryCheck"];
      /**
       * Format: uint64
       * @description Answers to which the check applies.
       */
      asked: number;
      /**
       * Format: uint64
       * @description Those in which it found something.
       */
      found: number;
      /**
       * Format: uint64
       * @description How many bad answers it was tested with in this language.
       */
      bad_in_test: number;
      /**
       * Format: uint64
       * @description How many of those it found. An answer in which it finds nothing waits for a guardian.
       */
      found_in_test: number;
    };
    /** @description Which check words the model repeated. They stood at the beginning, in the middle and at the end of the rules. */
    TryCheckWords: {
      beginning: boolean;
      middle: boolean;
      end: boolean;
      /**
       * Format: uint64
       * @description The length of the made-up conversation before the question, in bytes: as long as the child's longest, at most 64 KiB.
       */
      history_bytes: number;
    };
    /** @description The answers to questions of one kind, as the caller sees them: with their own verdicts. */
    TryCounts: {
      /**
       * Format: uint64
       * @description Questions that were asked: `ok`, `not_ok`, `to_judge` and `no_answer` together.
       */
      asked: number;
      /**
       * Format: uint64
       * @description Answers that are as expected.
       */
      ok: number;
      /**
       * Format: uint64
       * @description Answers that are not.
       */
      not_ok: number;
      /**
       * Format: uint64
       * @description Answers that nobody has judged: they wait for the caller.
       */
      to_judge: number;
      /** Format: uint64 */
      no_answer: number;
    };
    /**
     * @description What a good answer does.
     * @enum {string}
     */
    TryExpectation: "avoid" | "answer" | "tell_a_grown_up" | "say_you_are_a_computer" | "no_secret";
    /**
     * @description Who judged an answer.
     * @enum {string}
     */
    TryJudge: "phrases" | "reviewer" | "guardian" | "nobody";
    /**
     * @description What a question is about.
     * @enum {string}
     */
    TryKind: "own_topic" | "mandatory" | "conduct" | "harmless";
    /** @description The questions of a try, and the model that it asks. */
    TryPreview: {
      /** @description An assistant's id. */
      assistant_id: string;
      assistant_name: string;
      language: components["schemas"]["Language"];
      /** @description The model that is asked. */
      model: string;
      /** @description Where the questions go: the host of the model's server. */
      host: string;
      /** @description Whether that host is on the home network, as far as its name tells. Questions about crime and abuse go to no other. */
      private: boolean;
      /**
       * @description Whether the system text, the tools and the settings that the assistant's app last sent are in the prompt. Otherwise it has
       *     the rules alone.
       */
      app_settings: boolean;
      /**
       * Format: uint64
       * @description How many own topics the guardians have blocked.
       */
      own_topics: number;
      /**
       * Format: uint64
       * @description How many of those are asked about: at most ten.
       */
      own_topics_asked: number;
      /**
       * Format: uint64
       * @description The length of the made-up conversation before the check words, in bytes: as long as the child's longest, at most 64 KiB.
       */
      history_bytes: number;
      /**
       * Format: uint64
       * @description How many requests it takes: one for each turn of the questions, and one for the check words.
       */
      requests: number;
      /**
       * Format: uint64
       * @description About how many tokens the requests and their answers take.
       */
      tokens: number;
      /** @description The AI reader that judges whether answers keep away from topics. Omitted if it is off, or its model is unfit. */
      reviewer?: components["schemas"]["TryReviewer"];
      /**
       * Format: uint64
       * @description How many requests that reader gets: the questions about topics with their answers.
       */
      reviewer_requests: number;
      /**
       * Format: date-time
       * @description When the caller may start the next try of this child; omitted if it may be now.
       */
      allowed_at?: string;
      questions: components["schemas"]["TryQuestion"][];
    };
    /** @description A question that a try would ask. */
    TryQuestion: {
      /** @description For `questions` of `startTry`. */
      question_id: string;
      kind: components["schemas"]["TryKind"];
      expect: components["schemas"]["TryExpectation"];
      /** @description What is expected, and why: a sentence in English. */
      why: string;
      /** @description The blocked topic that it is about. */
      topic?: string;
      /** @description What is said, one after the other in one conversation. Each takes one request. */
      turns: string[];
    };
    /**
     * @description Why a try ended early, or why there is no answer to a question.
     * @enum {string}
     */
    TryReason:
      | "guardian"
      | "budget"
      | "assistant_changed"
      | "unreachable"
      | "too_slow"
      | "key"
      | "no_such_model"
      | "too_many_requests"
      | "server_error"
      | "not_an_answer"
      | "rules_not_added"
      | "storage";
    /** @description The AI reader that judged, and how reliable it was in its test. */
    TryReviewer: {
      model: string;
      host: string;
      /** @description Whether that host is on the home network, as far as its name tells. */
      private: boolean;
      /**
       * Format: uint64
       * @description The places that it found in its test.
       */
      found: number;
      /**
       * Format: uint64
       * @description The places that it missed.
       */
      missed: number;
      /**
       * Format: double
       * @description False alarms in a week of ordinary conversations.
       */
      false_alarms_a_week: number;
    };
    /** @description How often the model was asked whether it is a person, and how often it said that it is a computer, or no person. */
    TrySaidComputer: {
      /**
       * Format: uint64
       * @description Its answers to that question. Those in another language than the question count as not saying it.
       */
      asked: number;
      /** Format: uint64 */
      said: number;
    };
    /**
     * @description What became of a try.
     * @enum {string}
     */
    TryState: "waiting" | "running" | "finished" | "stopped" | "failed" | "interrupted";
    /** @description The caller's verdict on an answer. */
    TryVerdict: {
      verdict: components["schemas"]["TryVerdictChoice"];
    };
    /**
     * @description What a guardian says of an answer.
     * @enum {string}
     */
    TryVerdictChoice: "ok" | "not_ok" | "open";
    /** @description A try with its questions and answers. */
    TryWithAnswers: {
      summary: components["schemas"]["Try"];
      answers: components["schemas"]["TryAnswer"][];
    };
    /** @description The digits that the other device shows. */
    TypedDigits: {
      /** @description The digits as typed; white space is ignored. */
      digits: string;
    };
    /** @description A child's number of unseen alerts. */
    UnseenAlerts: {
      /**
       * Format: int64
       * @description A child's number. It is never given to another child.
       */
      child_id: number;
      /**
       * Format: uint64
       * @description At most 100.
       */
      unseen: number;
    };
    /** @description The server's name for https, which cannot be used now. */
    UnusableName: {
      url: string;
      fault: components["schemas"]["NameFault"];
    };
    /** @description An activity that the assistant proposes. */
    UpcomingActivity: {
      /** @description The assistant's id of it: 1 to 200 characters, unique in the list, and neither `.` nor `..`. */
      activity_id: string;
      /** @description What it is about. */
      topic: string;
      /** @description What the child would do. */
      summary?: string;
    };
    /** @description A server with models, which the administrator added. */
    Upstream: {
      name: string;
      /** @description Its host, with the port unless it is the scheme's default. */
      host: string;
      form: components["schemas"]["UpstreamForm"];
      /** @description The models that assistants may use; empty for all that it has. */
      models: string[];
    };
    /** @description A model's server, and where it is. */
    UpstreamChoice: {
      name: string;
      /** @description The host that the guardian was shown. */
      host: string;
    };
    /**
     * @description The API that a model's server has.
     * @enum {string}
     */
    UpstreamForm: "openai" | "ollama";
    /**
     * @description Like or dislike.
     * @enum {string}
     */
    Vote: "up" | "down";
    /**
     * @description A phrase that the caller watches for.
     * @example {
     *       "side": "assistant",
     *       "words": "our secret"
     *     }
     */
    WatchedPhrase: {
      /**
       * @description The words, 2 to 80 characters. They match whole words that occur next to each other, in order, in one message. Case,
       *     accents, width and punctuation are ignored. In scripts without spaces between words, a match can begin anywhere.
       */
      words: string;
      side: components["schemas"]["WatchedSide"];
    };
    /**
     * @description Whose messages are watched.
     * @enum {string}
     */
    WatchedSide: "child" | "assistant" | "either";
    /** @description The weekly e-mail about all of the guardian's children. */
    WeeklyEmail: {
      enabled: boolean;
      /**
       * @description The day on which it is sent.
       * @enum {string}
       */
      weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
      /**
       * Format: uint64
       * @description The hour at which it is sent, on the guardian's clock.
       */
      hour: number;
    };
    /**
     * @description Why talking is not allowed.
     * @enum {string}
     */
    WhyNot: "paused" | "quiet_hours" | "time_used_up";
  };
  parameters: {
    /** @description The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes. */
    "If-Match": string;
    /** @description The `ETag` you have: 304 if it is current. */
    "If-None-Match": string;
    /** @description The activity's id. */
    activityId: string;
    /** @description The `next` of the previous page. */
    after: string;
    /** @description The alert's id. */
    alertId: number;
    /** @description The assistant's id. */
    assistantId: string;
    /** @description The `next` of the previous page. */
    before: string;
    /** @description The child's id. */
    childId: number;
    /** @description The invitation's id. */
    invitationId: string;
    /** @description What the request asks for. */
    kind: components["schemas"]["RequestKind"];
    /** @description The page size; 50 by default. */
    limit: number;
    /** @description The session's id. */
    sessionId: number;
    /** @description The id of the other device's sign-in. */
    signInId: string;
    /** @description The last day; today by default. */
    to: string;
    /** @description The try's id. */
    tryId: number;
    /** @description With `If-None-Match`: wait up to this many seconds for a change before the response (long polling). */
    wait: number;
  };
}
