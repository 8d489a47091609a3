import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {type Agent} from '../../../interface/records.ts';
import {type UploadPhase} from '../../hooks/use-upload-ability.ts';
import {theme} from '../../theme.ts';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {problemMark} from '../../state/severity.ts';
import {ProgressBar} from '../../widgets/progress-bar.tsx';
import {TextField} from '../../widgets/text-field.tsx';
import {ChoiceField} from './choice-field.tsx';
import {type FormRow} from './form-rows.ts';
import {
	isNewVersionOffered,
	type TextName,
	type UploadField,
	type UploadForm,
} from './upload-form.ts';

export const labelWidth = 12;

const labels: Readonly<Record<UploadField, string>> = {
	path: 'Path',
	name: 'Name',
	description: 'About',
	category: 'Category',
	phrases: 'Phrases',
	image: 'Image',
	agent: 'Agent',
	upload: 'Upload',
};

const placeholders: Readonly<Partial<Record<UploadField, string>>> = {
	description: '(what it does)',
	image: '(none; a PNG or JPEG file)',
};

const Progress = ({phase, width}: {readonly phase: UploadPhase; readonly width: number}): ReactElement => {
	if (phase.kind === 'packing') {
		return <ProgressBar width={width} fraction={undefined} label='Packing…'/>;
	}

	const {fraction, sizeBytes} = phase;
	return fraction < 1
		? <ProgressBar width={width} fraction={fraction} label='Sending' note={`of ${formatBytes(sizeBytes)}`}/>
		: <ProgressBar width={width} fraction={undefined} label={`Sent (${formatBytes(sizeBytes)}), waiting for the answer…`}/>;
};

type UploadRowProps = {
	readonly row: FormRow<UploadField>;
	readonly form: UploadForm;
	readonly width: number;
	/** True if it has a problem that there is no room to show. */
	readonly isMarked: boolean;
	readonly agents: readonly Agent[] | undefined;
	readonly phase: UploadPhase | undefined;
	readonly onEdit: (change: Partial<Record<TextName, string>>) => void;
};

const agentText = (id: number | undefined, agents: readonly Agent[] | undefined): string =>
	id === undefined ? 'none' : agents?.find(agent => agent.id === id)?.name ?? `#${id}`;

/** One field of the upload form, or its button, with its note below. */
export const UploadRow = ({row, form, width, isMarked, agents, phase, onEdit}: UploadRowProps): ReactElement => {
	const {field, below, isProblem} = row;
	const isFocused = form.focus === field && phase === undefined;
	const label = `${labels[field]}${isMarked ? problemMark : ''}`;
	const choice = {label, labelWidth, isFocused};

	const draw = (): ReactElement => {
		switch (field) {
			case 'category': {
				return <ChoiceField {...choice} value={categoryLabel(form.category)} meaning={isCategory(form.category) ? categoryMeanings[form.category] : ''}/>;
			}

			case 'agent': {
				const meaning = agents === undefined ? 'the agents are not read yet' : (form.agent === undefined ? '' : 'gets the ability');
				return <ChoiceField {...choice} value={agentText(form.agent, agents)} meaning={meaning}/>;
			}

			case 'upload': {
				return phase === undefined
					? <Text {...(isFocused ? theme.accent : theme.secondary)}>{`${isFocused ? '>' : ' '} [ ${isNewVersionOffered(form) ? 'New version' : labels.upload} ]`}</Text>
					: <Progress phase={phase} width={width}/>;
			}

			default: {
				const placeholder = placeholders[field];
				return (
					<TextField
						{...choice}
						width={width}
						value={form[field]}
						{...(placeholder !== undefined && {placeholder})}
						onChange={value => {
							onEdit({[field]: value});
						}}
					/>
				);
			}
		}
	};

	return (
		<Box flexDirection='column' flexShrink={0}>
			{draw()}
			{below.map((line, index) => (
				// Lines have no identity but their index.
				<Box key={index} paddingLeft={labelWidth}><Text {...(isProblem ? theme.error : theme.secondary)} wrap='truncate-end'>{line}</Text></Box>
			))}
		</Box>
	);
};
