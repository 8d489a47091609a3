import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {provideTool} from './provide-tool.ts';

/* Lints everything, or the files that it is given, with XO, which reads the rest of the command line itself. */

const folder = await provideTool('lint');
await import(pathToFileURL(path.join(folder, 'node_modules/xo/dist/cli.js')).href);
