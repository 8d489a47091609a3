import {type ReactElement, useState} from 'react';
import {startFiles} from '../../../interface/ability-package/check-files.ts';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {spokenText} from '../../../terminal/spoken-text.ts';
import {useAppState} from '../../app-context.ts';
import {completePath, expandPath, pathKind, useInspection} from '../../hooks/inspection.ts';
import type {UploadPhase} from '../../hooks/upload.ts';
import {useAgents} from '../../hooks/use-resource.ts';
import {categoryChoices} from '../../state/edit-words.ts';
import {useProfileNote} from '../detail-frame.tsx';
import {Form, type FormField, useForm} from '../form.tsx';
import {emptyTexts, uploadFields, validateUpload, type UploadField, type UploadTexts} from './upload-form.ts';
import {useUpload} from './use-upload.ts';

const smallestBar = 5;

const largestBar = 40;

/**
Returns a bar and its percentage, legible without colour or line drawing. Without enough room the size is dropped first, then the bar.
*/
export function progressLine(width: number, fraction: number, size: string): string {
	const percent = `${String(Math.floor(fraction * 100)).padStart(3)} %`;
	const roomBeside = (end: string): number => Math.min(largestBar, width - 'Sending [] '.length - end.length);
	const end = [`${percent}, of ${size}`, percent].find(text => roomBeside(text) >= smallestBar);
	const filled = end === undefined ? 0 : Math.floor(fraction * roomBeside(end));
	return end === undefined ? `Sending ${percent}` : `Sending [${'█'.repeat(filled).padEnd(roomBeside(end), '·')}] ${end}`;
}

const labels: Readonly<Record<UploadField, string>> = {
	path: 'Path',
	name: 'Name',
	description: 'About',
	category: 'Category',
	phrases: 'Phrases',
	image: 'Image',
	agent: 'Agent',
};

const placeholders: Readonly<Partial<Record<UploadField, string>>> = {description: '(what it does)', image: '(none; a PNG or JPEG file)'};

const extensions: Readonly<Partial<Record<UploadField, readonly string[]>>> = {path: ['.zip'], image: ['.png', '.jpg', '.jpeg']};

/** Uploads an ability: a form that the folder itself fills in as far as it can, checked as the person types. */
export function UploadScreen(): ReactElement {
	const {columns} = useAppState().size;
	const profileNote = useProfileNote();
	const {records: agents} = useAgents();
	const form = useForm<UploadField>('path', emptyTexts);
	const texts = form.texts as UploadTexts;
	const [candidates, setCandidates] = useState({text: '', names: [] as readonly string[]});
	const inspection = useInspection(expandPath(texts.path), form.typed.category, expandPath(texts.image));
	const {phase, isNewVersionOffered, submit} = useUpload(form, inspection);

	const complete = async (field: UploadField): Promise<void> => {
		const typed = texts[field];
		const completion = await completePath(typed, extensions[field]!, field === 'path' ? startFiles : []);
		// Tab does not leave a path that does not exist.
		const isWhole = completion.candidates.length === 0 && (typed.trim() === '' || (await pathKind(expandPath(typed))) !== undefined);
		// Text typed in the meantime wins.
		if (form.read()[field] !== typed) {
			return;
		}

		setCandidates({text: completion.text, names: completion.candidates});
		if (completion.text !== typed) {
			form.edit({[field]: completion.text});
		} else if (isWhole) {
			form.focusOn(uploadFields[uploadFields.indexOf(field) + 1]!);
		}
	};

	const notes = validateUpload({...form, texts}, inspection);
	const fields = uploadFields.map((name): FormField<UploadField> => {
		const hasCandidates = name === form.focus && candidates.names.length > 0 && candidates.text === texts[name];
		return {
			name,
			label: labels[name],
			placeholder: placeholders[name],
			note: hasCandidates ? {text: candidates.names.join(' '), isProblem: false} : notes[name],
			...(extensions[name] && {complete: () => void complete(name)}),
			...(name === 'category' && {choices: categoryChoices}),
			...(name === 'agent' && {
				choices: [
					{value: '', label: 'none', meaning: agents === undefined ? 'the agents are not read yet' : ''},
					...(agents ?? []).map(agent => ({value: String(agent.id), label: agent.name, meaning: 'gets the ability'})),
				],
			}),
		};
	});
	return (
		<Form
			title="Upload an ability"
			titleNotes={[`to ${profileNote}`]}
			form={form}
			fields={fields}
			saveLabel={isNewVersionOffered ? 'new version' : 'upload'}
			busy={form.busy && progressOf(phase, columns - 2)}
			question="Leave without uploading?"
			onSave={submit}
			onBusyEscape={{label: 'cancel the upload', act: () => form.busy?.cancel()}}
		/>
	);
}

function progressOf(phase: UploadPhase, width: number): {readonly text: string; readonly spoken?: string} {
	if (phase.kind === 'packing') {
		return {text: 'Packing…'};
	}

	const {fraction, sizeBytes} = phase;
	const size = formatBytes(sizeBytes);
	// A screen reader reads every tenth percent.
	return fraction === 1
		? {text: `Sent (${size}), waiting for the answer…`}
		: {text: progressLine(width, fraction, size), spoken: spokenText('Sending', `${Math.floor(fraction * 10) * 10} %`)};
}
