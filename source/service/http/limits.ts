const mebibyte = 1024 * 1024;

/** The limits on the resources that one client can take from others. Tests use smaller ones. */
export const limits = {
	/** For a connection without a request, and for the head of a request. */
	idleMilliseconds: 30_000,
	/**
	For a connection that moves no byte while a request or an answer is under way. A kernel accepts megabytes at once, which take a minute
	on a slow connection.
	*/
	silentMilliseconds: 120_000,
	/** For a whole request: the largest upload on a slow connection. */
	requestMilliseconds: 1_800_000,
	/** For a body that holds the key, and for the rest of a request that is already answered, such as one without an accepted key. */
	restMilliseconds: 10_000,
	handshakeMilliseconds: 10_000,
	connections: 4096,
	/** For clients that follow changes. Each holds a connection as long as it stays, and leaves room for requests. */
	streams: 3072,
	streamsPerKey: 10,
	/** For conversations and readers of the call logs. Each holds a connection as long as it stays. */
	conversations: 2000,
	conversationsPerKey: 20,
	conversationsPerAddress: 128,
	/** After this silence the agent speaks first. */
	greetingMilliseconds: 1000,
	pingMilliseconds: 20_000,
	/** A conversation whose client has answered no ping for this long is over. */
	pongMilliseconds: 60_000,
	/** Unanswered requests on one connection. */
	waitingRequests: 32,
	/** Bodies of more than 64 KB that are read at once, half of them for one key. The largest is a form with a zip. */
	largeBodies: 4,
	/** A large body that cannot be read yet waits this long before it is refused. */
	bodyPatienceMilliseconds: 20_000,
	/** Answers in memory that their clients have not read yet, half of them for one key: the three lists of a huge account fit. */
	answerBytes: 96 * mebibyte,
} as const;

export type Limits = {readonly [Name in keyof typeof limits]: number};
