import {Buffer} from 'node:buffer';
import {crc32, deflateRawSync} from 'node:zlib';

/** A file for a zip that may lie about it in any way. What is not given is as it should be. */
export type RawEntry = {
	readonly name: string | Uint8Array;
	readonly content?: string | Uint8Array;
	readonly isDeflated?: boolean;
	/** The bytes as they lie in the zip, instead of the packed content. */
	readonly packed?: Uint8Array;
	readonly method?: number;
	readonly flags?: number;
	/** The Unix mode, with the type of the file. */
	readonly mode?: number;
	readonly claimedSize?: number;
	readonly claimedChecksum?: number;
	/** The checksum in front of the bytes, where it differs from that in the list. */
	readonly localChecksum?: number;
	/** What stands after the bytes. */
	readonly descriptor?: Uint8Array;
	/** The name in front of the bytes, where it differs from that in the list. */
	readonly localName?: string;
	/** The list points at the bytes of the entry of this number instead of its own. */
	readonly sharedWith?: number;
};

const isUtf8Flag = 0x8_00;

/**
A zip written byte by byte, as an attacker would.

@param claimedCount - how many files the zip says it has.
*/
export function rawZip(entries: readonly RawEntry[], claimedCount = entries.length): Buffer {
	const bodies: Buffer[] = [];
	const offsets: number[] = [];
	const packedEntries = entries.map(entry => {
		const content = Buffer.from(entry.content ?? '');
		return entry.packed ?? (entry.isDeflated === true ? deflateRawSync(content, {level: 9}) : content);
	});
	let offset = 0;
	for (const [index, entry] of entries.entries()) {
		const body =
			entry.sharedWith === undefined
				? localHeader(entry, Buffer.from(entry.localName ?? entry.name), packedEntries[index]!)
				: Buffer.alloc(0);
		offsets.push(entry.sharedWith === undefined ? offset : offsets[entry.sharedWith]!);
		bodies.push(body);
		offset += body.length;
	}

	const list = Buffer.concat(entries.map((entry, index) => listRecord(entry, packedEntries[index]!, offsets[index]!)));
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06_05_4b_50, 0);
	end.writeUInt16LE(claimedCount, 8);
	end.writeUInt16LE(claimedCount, 10);
	end.writeUInt32LE(list.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...bodies, list, end]);
}

function localHeader(entry: RawEntry, name: Uint8Array, packed: Uint8Array): Buffer {
	const content = Buffer.from(entry.content ?? '');
	const header = Buffer.alloc(30);
	header.writeUInt32LE(0x04_03_4b_50, 0);
	header.writeUInt16LE(20, 4);
	header.writeUInt16LE(entry.flags ?? isUtf8Flag, 6);
	header.writeUInt16LE(entry.method ?? (entry.isDeflated === true ? 8 : 0), 8);
	header.writeUInt32LE(entry.localChecksum ?? entry.claimedChecksum ?? crc32(content), 14);
	header.writeUInt32LE(packed.length, 18);
	header.writeUInt32LE(entry.claimedSize ?? content.length, 22);
	header.writeUInt16LE(name.length, 26);
	return Buffer.concat([header, name, packed, entry.descriptor ?? new Uint8Array()]);
}

function listRecord(entry: RawEntry, packed: Uint8Array, offset: number): Buffer {
	const name = Buffer.from(entry.name);
	const content = Buffer.from(entry.content ?? '');
	const record = Buffer.alloc(46);
	record.writeUInt32LE(0x02_01_4b_50, 0);
	// Made by Unix, so that the mode counts.
	record.writeUInt16LE(0x03_14, 4);
	record.writeUInt16LE(20, 6);
	record.writeUInt16LE(entry.flags ?? isUtf8Flag, 8);
	record.writeUInt16LE(entry.method ?? (entry.isDeflated === true ? 8 : 0), 10);
	record.writeUInt32LE(entry.claimedChecksum ?? crc32(content), 16);
	record.writeUInt32LE(packed.length, 20);
	record.writeUInt32LE(entry.claimedSize ?? content.length, 24);
	record.writeUInt16LE(name.length, 28);
	record.writeUInt32LE((entry.mode ?? 0o10_0644) * 0x1_00_00, 38);
	record.writeUInt32LE(offset, 42);
	return Buffer.concat([record, name]);
}
