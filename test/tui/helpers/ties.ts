import type {TestContext} from 'node:test';
import type {LiveLikeService} from '../../helpers/live-like-service.ts';
import type {RenderedApp} from '../../helpers/render-app.tsx';
import {startHome} from './homes.ts';
import {isFresh} from './shown.ts';

/** A home whose service shows what is tied to its one agent: lamps, nightwatch, and an ability that its list lacks. */
export async function startShownHome(t: TestContext): Promise<LiveLikeService> {
	return startHome(t, {
		home: {agents: [{id: 1, name: 'Hearth', description: 'You look after a house.', matching_capabilities: [21, 23, 99]}]},
	});
}

/** Opens the checklist of the agent under the cursor, and waits for the abilities. */
export async function openTies(app: RenderedApp): Promise<void> {
	await app.shows(isFresh);
	await app.press('t').shows(/\[[ x]\] /);
}

/** The lines of a frame that have a box. */
export function boxes(lines: readonly string[]): readonly string[] {
	return lines.filter(line => /\[[ x]\] /.test(line)).map(line => line.trimEnd());
}
