import path from 'node:path';
import {buildExecutable} from './build-executable.ts';

const root = path.resolve(import.meta.dirname, '../..');

const executable = await buildExecutable(path.join(root, 'build'));
console.log(`${path.relative(root, executable)} is built; it needs no Node.js.`);
