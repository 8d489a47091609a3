import {Buffer} from 'node:buffer';

export type ImageType = 'image/png' | 'image/jpeg';

const signatures: ReadonlyArray<readonly [type: ImageType, start: string]> = [
	['image/png', '89504e470d0a1a0a'],
	['image/jpeg', 'ffd8ff'],
];

/** The type of an image by its first bytes, whatever its name; `undefined` if it is neither PNG nor JPEG. */
export const detectImageType = (bytes: Uint8Array): ImageType | undefined => {
	const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
	return signatures.find(([, signature]) => start.startsWith(signature))?.[0];
};
