import {once, process} from '../helpers/node.ts';
import {openApiKeys} from '../../source/service/accounts.ts';

/* Opens the data folder that it is given when it is told to, and makes an account in it. */

const [folder = ''] = process.argv.slice(2);
process.send?.('ready');
await once(process, 'message');
const keys = await openApiKeys(folder);
await keys.create({account: `account of ${process.pid}`});
await keys.close();
process.disconnect();
