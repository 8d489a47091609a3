export {TextEditor} from './text-editor.tsx';
export {lineNumberOf, toPlainText} from './chunked-text.ts';
export {type TextSize} from './text-view.ts';
export {textVerbOf} from './text-editor-keys.ts';
export {
	createTextEditorState,
	isEdited,
	isUntouched,
	reduceTextEditor,
	type TextEditorAction,
	type TextEditorState,
} from './text-editor-state.ts';
