import stringWidth from 'string-width';
import type {FrameRecorder} from './frame-recorder.ts';

const zeroWidthJoiner = 0x20_0d;
const emojiPresentation = 0xfe_0f;

/** What a character leaves for the next one: it joins after a joiner, and half a flag joins another half. */
const afterJoiner = 1;
const afterHalfFlag = 2;

const isHalfFlag = (codePoint: number): boolean => codePoint >= 0x1_f1_e6 && codePoint <= 0x1_f1_ff;

const isModifier = (codePoint: number): boolean => /^[\p{Emoji_Modifier}\p{Mark}]$/u.test(String.fromCodePoint(codePoint));

/** The properties of xterm.js: the lowest bit says that a character joins the one before, the next two are the width of both. */
const properties = (kind: number, width: number, isJoined: boolean): number => kind * 8 + width * 2 + (isJoined ? 1 : 0);

/** Makes an emulator give grapheme clusters the columns that Ink gives them. */
export function joinGraphemes(emulator: FrameRecorder['emulator']): void {
	emulator.unicode.register({
		version: 'graphemes',
		wcwidth: codePoint => stringWidth(String.fromCodePoint(codePoint)) as 0 | 1 | 2,
		charProperties(codePoint, preceding) {
			const kind = Math.floor(preceding / 8);
			const isFlag = isHalfFlag(codePoint) && kind === afterHalfFlag;
			if (preceding === 0 || !(isFlag || kind === afterJoiner || codePoint === zeroWidthJoiner || isModifier(codePoint))) {
				return properties(isHalfFlag(codePoint) ? afterHalfFlag : 0, stringWidth(String.fromCodePoint(codePoint)), false);
			}

			const width = Math.floor(preceding / 2) % 4;
			return properties(codePoint === zeroWidthJoiner ? afterJoiner : 0, isFlag || codePoint === emojiPresentation ? 2 : width, true);
		},
	});
	emulator.unicode.activeVersion = 'graphemes';
}
