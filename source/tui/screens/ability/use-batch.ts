import {useUiServices} from '../../app-context.ts';
import {deletion, installation, uninstallation} from '../../hooks/ability-writes.ts';
import {
	isInBatch,
	runBatch,
	type BatchItem,
	type BatchWrite,
} from '../../hooks/batch.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {createBatchMessages, sayUnderWay, type BatchAction} from './batch-messages.ts';

const writes: Readonly<Record<BatchAction, BatchWrite>> = {delete: deletion, install: installation, uninstall: uninstallation};

/** Deletes, installs or uninstalls the items, except those for which that is under way, and reports each outcome. */
export const useBatch = (): ((action: BatchAction, items: readonly BatchItem[]) => void) => {
	const ui = useUiServices();
	const session = useServiceSession();

	const run = async (action: BatchAction, items: readonly BatchItem[]): Promise<void> => {
		const write = writes[action];
		const wanted = items.filter(item => !isInBatch(session, write, item));
		if (wanted.length === 0) {
			sayUnderWay(ui, action, items);
			return;
		}

		const messages = createBatchMessages(wanted, {ui, history: session.undoHistory, action});
		await runBatch(session, write, wanted, messages.onEach);
		messages.end();
	};

	return (action, items) => {
		void run(action, items);
	};
};
