export {TextEditor} from './text-editor.tsx';
export {lineNumberOf, toPlainText} from './chunked-text.ts';
export {altKeysOf, textVerbOf} from './text-editor-keys.ts';
export {
	createTextEditorState,
	isEdited,
	reduceTextEditor,
	type TextEditorAction,
	type TextEditorState,
} from './text-editor-state.ts';
