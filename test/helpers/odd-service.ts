import type {Answer} from './answers.ts';
import {type RecordedRequest, startRecordingServer} from './recorded-requests.ts';

export type OddAnswer = Answer | ((request: RecordedRequest) => Answer | Promise<Answer>);

/** A server that answers each path with whatever the test programs, and the rest with an empty 404. */
export async function startOddService(routes: Readonly<Record<string, OddAnswer>> = {}) {
	const programs = new Map<string, readonly [OddAnswer, ...OddAnswer[]]>();
	for (const [route, answer] of Object.entries(routes)) {
		programs.set(route, [answer]);
	}

	const server = await startRecordingServer(async request => {
		const route = [`${request.method} ${request.path}`, request.path, '*'].find(candidate => programs.has(candidate));
		if (route === undefined) {
			return {status: 404};
		}

		const [answer, ...later] = programs.get(route)!;
		const [next, ...rest] = later;
		if (next !== undefined) {
			programs.set(route, [next, ...rest]);
		}

		return typeof answer === 'function' ? answer(request) : answer;
	});

	return {
		...server,
		apiKey: 'odd-key-0123456789',
		/**
		Programs what a route answers from now on, instead of what was programmed before.

		@param route - a path (`/api/x/`), a method and a path (`PUT /api/x/`), or `*` for whatever has no answer of its own.
		@param answers - one for each request to come; the last stays.
		*/
		program(route: string, ...answers: readonly [OddAnswer, ...OddAnswer[]]) {
			programs.set(route, answers);
		},
	};
}

export type OddService = Awaited<ReturnType<typeof startOddService>>;
