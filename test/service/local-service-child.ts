import process from 'node:process';
import {startLocalService} from '../../source/service/local.ts';

/* Starts the local service on the data folder that it is given, and then has nothing more to do. */

const [dataFolder = ''] = process.argv.slice(2);
const {baseAddress} = await startLocalService({dataFolder});
process.stdout.write(`${baseAddress}\n`);
