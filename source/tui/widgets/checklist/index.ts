export {Checklist, type ChecklistItem} from './checklist.tsx';
export {actOnChecklist} from './checklist-keys.ts';
export {
	createChecklistState,
	reduceChecklist,
	type ChecklistAction,
	type ChecklistState,
} from './checklist-state.ts';
