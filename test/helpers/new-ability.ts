import {Buffer} from 'node:buffer';
import type {NewAbility} from '../../source/service/store/changes.ts';

/** An ability as the store takes it: an installed one of a small file, unless the fields say otherwise. */
export function newAbility(fields: Partial<NewAbility> = {}): NewAbility {
	return {
		name: 'lamps',
		category: 'skill',
		description: 'Switches the lamps.',
		triggerPhrases: [],
		files: [{path: 'main.py', bytes: Buffer.from('pass\n')}],
		installedAs: true,
		changedAt: new Date('2026-01-02T03:04:05Z'),
		...fields,
	};
}

export function noAgent(): undefined {
	return undefined;
}

/** Stored in several steps. */
export const largeFiles: NewAbility['files'] = Array.from({length: 10}, (_, index) => ({
	path: `sound${index}.wav`,
	bytes: Buffer.alloc(1024 * 1024, index),
}));
