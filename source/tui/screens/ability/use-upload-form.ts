import {useSyncExternalStore} from 'react';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {createStore, type Store} from '../../state/store.ts';
import {
	emptyForm,
	reduceUpload,
	type UploadAction,
	type UploadForm,
} from './upload-form.ts';

/** What was typed: it is still there when the form is opened again. */
const uploadForm: MemoryKey<Store<UploadForm, UploadAction>> = {create: () => createStore(reduceUpload, emptyForm)};

/** The upload form, and its store for keys that come before the next frame. */
export const useUploadForm = (): readonly [form: UploadForm, store: Store<UploadForm, UploadAction>] => {
	const store = useServiceSession().memory.get(uploadForm);
	return [useSyncExternalStore(store.subscribe, store.getState), store];
};
