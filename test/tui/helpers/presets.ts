import type {LiveLikeService} from '../../helpers/live-like-service.ts';
import type {RenderedApp} from '../../helpers/render-app.tsx';
import type {Preset} from '../../../source/settings/presets.ts';
import {isInstalledList, togglesOf} from './homes.ts';
import {cursorLine, includes} from './shown.ts';

/** What lamps, pantry and nightwatch are at first. */
export const now = {name: 'now', on: ['lamps', 'pantry'], off: ['nightwatch']};

/** All three the other way round. */
export const night = {name: 'night', on: ['nightwatch'], off: ['lamps', 'pantry']};

export async function savePreset(app: RenderedApp, preset: Preset): Promise<void> {
	await app.ui.presets().save(preset, {isReplacing: false});
}

export function inList(lines: readonly string[]): boolean {
	return lines[0]!.startsWith(' Presets ');
}

/** True where the list shows presets, and what each would change. */
export function isRead(lines: readonly string[]): boolean {
	return inList(lines) && cursorLine(lines) !== undefined && !includes('reading…')(lines);
}

/** Opens the list of the presets, with one more than are stored. */
export async function openPresets(app: RenderedApp, preset: Preset = night): Promise<readonly string[]> {
	await savePreset(app, preset);
	return app.press('b').shows(isRead);
}

/** The states that the service was asked for, by id and then in their order. */
export function wanted(service: LiveLikeService): ReadonlyArray<readonly [id: number, isEnabled: unknown]> {
	return togglesOf(service)
		.map(({id, body}) => [id, (body as {readonly enabled: unknown}).enabled] as const)
		.toSorted(([first], [second]) => first - second);
}

export function withoutBlanks(lines: readonly string[]): readonly string[] {
	return lines.filter(line => line !== '');
}

/** Makes the service refuse its list of installed abilities until the returned function is called. */
export function breakList(service: LiveLikeService): () => void {
	let isBroken = true;
	service.failNext({
		when: request => isBroken && isInstalledList(request),
		status: 403,
		body: '{"detail": "Not with this key"}',
		times: 1000,
	});
	return () => {
		isBroken = false;
	};
}
