import {useSyncExternalStore} from 'react';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {createStore, type Store} from '../../state/store.ts';
import {
	emptyForm,
	reduceUpload,
	type UploadAction,
	type UploadForm,
} from './upload-form.ts';

/** Of each service shown, what was typed: it is there again where the form is left and opened anew. */
const stores = new WeakMap<ServiceSession, Store<UploadForm, UploadAction>>();

const storeOf = (session: ServiceSession): Store<UploadForm, UploadAction> => {
	const store = stores.get(session) ?? createStore(reduceUpload, emptyForm);
	stores.set(session, store);
	return store;
};

/** The upload form as it is now, and the store behind it for keys that come before the next frame. */
export const useUploadForm = (): readonly [form: UploadForm, store: Store<UploadForm, UploadAction>] => {
	const store = storeOf(useServiceSession());
	return [useSyncExternalStore(store.subscribe, store.getState), store];
};
