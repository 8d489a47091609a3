import {useMemo} from 'react';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type OutsideState} from '../../hooks/outside-changes.ts';
import {useOutsideChanges} from '../../hooks/use-outside-changes.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {type RowData} from '../../state/rows.ts';
import {screenNames, type ScreenName, type View} from '../../state/view.ts';
import {
	useRows,
	type Listed,
	type Rows,
	type RowDependencies,
} from './use-rows.ts';

export type ListRowsOptions<Record_> = RowDependencies & {
	readonly screen: ScreenName;
	readonly resource: ResourceState<Record_>;
	readonly toRowData: (record: Record_) => RowData;
	/** The installed record that a row shows beside its own. */
	readonly installedIdOf?: ((record: Record_) => number | undefined) | undefined;
};

export type ListRows<Record_> = {
	/** All records, as the service lists them. */
	readonly all: readonly Record_[];
	/** The rows shown, as of a view. */
	rowsOf(view: View): Rows<Record_>;
	/** True if somebody else changed the record and the cursor has not passed it since. */
	hasChangeSign(record: Record_): boolean;
	/** Removes the change signs of records that the cursor has passed. */
	pass(records: readonly Record_[]): void;
};

/** The rows of a list, and which of them were changed elsewhere. */
export const useListRows = <Record_ extends Listed>(options: ListRowsOptions<Record_>): ListRows<Record_> => {
	const {screen, resource: {records}, toRowData, installedIdOf} = options;
	const session = useServiceSession();
	const {signs, changed} = useOutsideChanges();
	const all = useMemo(() => records ?? [], [records]);
	const isIn = (ids: OutsideState['signs'], record: Record_): boolean => ids[screen].has(record.id) || ids.installed.has(installedIdOf?.(record) ?? -1);
	const rowsOf = useRows(
		screen,
		all,
		record => ({...toRowData(record), isChanged: isIn(changed, record)}),
		{...options, eventsKey: [options.eventsKey, ...screenNames.map(name => changed[name].size)].join(' ')},
	);
	return {
		all,
		rowsOf,
		hasChangeSign: record => isIn(signs, record),
		pass(passed) {
			session.outside.pass(screen, passed.map(({id}) => id));
			session.outside.pass('installed', passed.map(record => installedIdOf?.(record)).filter(id => id !== undefined));
		},
	};
};
