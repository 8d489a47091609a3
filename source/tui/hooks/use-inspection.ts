import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {useEffect, useState} from 'react';
import {useQuery} from '@tanstack/react-query';
import {type CheckedDraft} from '../../bundle/read-draft.ts';
import {useServiceSession} from './service-session.ts';

/** What is known of the folder or zip that a path names. */
export type Inspection =
	| {readonly kind: 'nothing-named' | 'reading'}
	/** There is nothing there, or a folder that holds no ability. */
	| {readonly kind: 'no-ability'; readonly complaint: string}
	| {readonly kind: 'ability'; readonly ability: CheckedDraft};

/** No folder is read at each key of a path that is being typed. */
const pauseMilliseconds = 120;

const useSettled = (value: string): string => {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => {
			setSettled(value);
		}, pauseMilliseconds);
		return () => {
			clearTimeout(timer);
		};
	}, [value]);
	return settled;
};

const exists = async (path: string): Promise<boolean> => {
	try {
		await stat(path);
		return true;
	} catch {
		return false;
	}
};

const inspect = async (path: string, category: string, imagePath: string): Promise<Inspection> => {
	let isFolder: boolean;
	try {
		isFolder = (await stat(path)).isDirectory();
	} catch {
		return {kind: 'no-ability', complaint: 'is not there'};
	}

	// Every folder above an ability is named on the way to it, the home folder too: those are not read.
	if (isFolder && !await exists(join(path, 'main.py')) && !await exists(join(path, 'config.json'))) {
		return {kind: 'no-ability', complaint: 'holds no main.py'};
	}

	const {readDraft} = await import('../../bundle/read-draft.ts');
	const {draft} = await readDraft(path, {category, ...(imagePath !== '' && {imagePath})});
	return {kind: 'ability', ability: draft};
};

/** Looks at what a path names, once it was not changed for a moment; a late answer about another path is dropped. */
export const useInspection = (path: string, category: string, imagePath: string): Inspection => {
	const {queryClient} = useServiceSession();
	const settledPath = useSettled(path);
	const settledImagePath = useSettled(imagePath);
	const {data, error} = useQuery<Inspection>({
		queryKey: ['inspection', settledPath, category, settledImagePath],
		queryFn: async () => inspect(settledPath, category, settledImagePath),
		enabled: settledPath !== '',
		staleTime: 0,
		gcTime: 0,
	}, queryClient);
	if (path === '') {
		return {kind: 'nothing-named'};
	}

	if (settledPath === path && error !== null) {
		return {kind: 'no-ability', complaint: `cannot be read: ${error.message}`};
	}

	return settledPath === path && data !== undefined ? data : {kind: 'reading'};
};
