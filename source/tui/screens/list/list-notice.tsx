import {type ReactElement} from 'react';
import {useUiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {unknownStateText} from '../../state/filter-syntax.ts';
import {parseFilter} from '../../state/filter.ts';
import {withMark} from '../../state/severity.ts';
import {Notice} from '../../widgets/notice.tsx';
import {refreshHint} from './use-report-failure.ts';

type ListNoticeProps = {
	readonly width: number;
	readonly height: number;
	readonly plural: string;
	readonly emptyHint: string;
	readonly filter: string;
	readonly hasRecords: boolean;
	readonly resource: ResourceState<unknown>;
};

/** What replaces a list without rows: why, and which key to press next. */
export const ListNotice = ({width, height, plural, emptyHint, filter, hasRecords, resource}: ListNoticeProps): ReactElement => {
	const {keymap} = useUiServices();
	const size = {width, height};
	if (hasRecords) {
		const title = unknownStateText(parseFilter(filter).unknownStates) ?? `No ${plural} match the filter “${filter}”.`;
		return <Notice {...size} tone='plain' title={title} hint={`${keyName(keymap, 'clear')} clears the filter.`}/>;
	}

	if (resource.error !== undefined && resource.records === undefined) {
		const title = `The ${plural} could not be read. ${resource.error.message}`;
		return <Notice {...size} tone='error' title={withMark('error', title)} hint={refreshHint(resource.error, keymap)}/>;
	}

	return resource.records === undefined
		? <Notice {...size} tone='secondary' title={`Reading the ${plural}…`}/>
		: <Notice {...size} tone='plain' title={`No ${plural} yet.`} hint={emptyHint}/>;
};
