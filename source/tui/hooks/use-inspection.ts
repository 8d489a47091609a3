import {join} from 'node:path';
import {useEffect, useState} from 'react';
import {useQuery} from '@tanstack/react-query';
import {type CheckedDraft} from '../../bundle/read-draft.ts';
import {pathKind} from './complete-path.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';

/** What a path leads to. */
export type Inspection =
	| {readonly kind: 'no-path' | 'reading'}
	/** Nothing, or a folder without an ability; `problem` says why, without a full stop. */
	| {readonly kind: 'no-ability'; readonly problem: string}
	/** `imagePath` is the image that was inspected with it: another one may have been typed since. */
	| {readonly kind: 'ability'; readonly ability: CheckedDraft; readonly imagePath: string};

/** Nothing is read until the person pauses for this long. */
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

const inspect = async (path: string, category: string, imagePath: string): Promise<Inspection> => {
	const kind = await pathKind(path);
	if (kind === undefined) {
		return {kind: 'no-ability', problem: 'no such file or folder'};
	}

	// While a path is typed it leads to every folder above the ability, the home folder too: those are not read.
	if (kind === 'folder' && await pathKind(join(path, 'main.py')) === undefined && await pathKind(join(path, 'config.json')) === undefined) {
		return {kind: 'no-ability', problem: 'no main.py in this folder'};
	}

	const {readDraft} = await import('../../bundle/read-draft.ts');
	const {draft} = await readDraft(path, {category, ...(imagePath !== '' && {imagePath})});
	return {kind: 'ability', ability: draft, imagePath};
};

const inspectionQuery = (path: string, category: string, imagePath: string) => ({
	queryKey: ['inspection', path, category, imagePath],
	queryFn: async () => inspect(path, category, imagePath),
	staleTime: 0,
	gcTime: 0,
});

const unreadable = (error: unknown): Inspection => ({kind: 'no-ability', problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}`});

/** Inspects what a path leads to, once it has not changed for a moment. A late answer about another path is dropped. */
export const useInspection = (path: string, category: string, imagePath: string): Inspection => {
	const {queryClient} = useServiceSession();
	const settledPath = useSettled(path);
	const settledImagePath = useSettled(imagePath);
	const {data, error} = useQuery<Inspection>({
		...inspectionQuery(settledPath, category, settledImagePath),
		enabled: settledPath !== '',
	}, queryClient);
	if (path === '') {
		return {kind: 'no-path'};
	}

	if (settledPath === path && error !== null) {
		return unreadable(error);
	}

	return settledPath === path && data !== undefined ? data : {kind: 'reading'};
};

/** Inspects it now: the files may have changed since. The field shows it too. Never rejects. */
export const inspectNow = async ({queryClient}: Pick<ServiceSession, 'queryClient'>, path: string, category: string, imagePath: string): Promise<Inspection> => {
	if (path === '') {
		return {kind: 'no-path'};
	}

	try {
		return await queryClient.query(inspectionQuery(path, category, imagePath));
	} catch (error) {
		return unreadable(error);
	}
};
