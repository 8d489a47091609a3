import {type ReactElement} from 'react';
import {useUiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {unknownStateText} from '../../state/filter-syntax.ts';
import {parseFilter} from '../../state/filter.ts';
import {withMark} from '../../state/severity.ts';
import {Notice} from '../../widgets/notice.tsx';
import {readAgainHint} from './use-tell-failure.ts';

export type ListNoticeProps = {
	readonly width: number;
	readonly height: number;
	readonly plural: string;
	readonly emptyHint: string;
	readonly filter: string;
	readonly hasRecords: boolean;
	readonly resource: ResourceState<unknown>;
};

/** What stands in place of a list that has no rows, and which key to press next. */
export const ListNotice = ({width, height, plural, emptyHint, filter, hasRecords, resource}: ListNoticeProps): ReactElement => {
	const {keymap} = useUiServices();
	const place = {width, height};
	if (hasRecords) {
		const title = unknownStateText(parseFilter(filter).unknownStates) ?? `None of the ${plural} fits the filter “${filter}”.`;
		return <Notice {...place} tone='plain' title={title} hint={`${keyName(keymap, 'clear')} clears the filter.`}/>;
	}

	if (resource.error !== undefined && resource.records === undefined) {
		const title = `The ${plural} could not be read. ${resource.error.message}`;
		return <Notice {...place} tone='error' title={withMark('error', title)} hint={readAgainHint(resource.error, keymap)}/>;
	}

	return resource.records === undefined
		? <Notice {...place} tone='secondary' title={`Reading the ${plural}…`}/>
		: <Notice {...place} tone='plain' title={`There are no ${plural} yet.`} hint={emptyHint}/>;
};
