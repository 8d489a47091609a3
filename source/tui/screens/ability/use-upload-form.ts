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

/** Of each service shown, what was typed: it is there again where the form is left and opened anew. */
const uploadForm: MemoryKey<Store<UploadForm, UploadAction>> = {create: () => createStore(reduceUpload, emptyForm)};

/** The upload form as it is now, and the store behind it for keys that come before the next frame. */
export const useUploadForm = (): readonly [form: UploadForm, store: Store<UploadForm, UploadAction>] => {
	const store = useServiceSession().memory.get(uploadForm);
	return [useSyncExternalStore(store.subscribe, store.getState), store];
};
