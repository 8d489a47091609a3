import {assert, path, process, test} from '../helpers/node.ts';
import os from 'node:os';
import {userFolders} from '../../source/platform/user-folders.ts';
import {setVariables} from '../helpers/set-variables.ts';

const skip = process.platform === 'linux' ? false : 'the variables of Linux';

const unset = {XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined, XDG_STATE_HOME: undefined};

const defaultsIn = (home: string): ReturnType<typeof userFolders> => ({
	config: path.join(home, '.config/switchboard'),
	cache: path.join(home, '.cache/switchboard'),
	data: path.join(home, '.local/share/switchboard'),
	log: path.join(home, '.local/state/switchboard'),
});

test('the folders are where the variables say, and by default in the home folder', {skip}, t => {
	setVariables(t, {...unset, HOME: '/home/ann'});
	assert.deepEqual(userFolders(), defaultsIn('/home/ann'));
	setVariables(t, {XDG_CONFIG_HOME: '/1', XDG_CACHE_HOME: '/2', XDG_DATA_HOME: '/3', XDG_STATE_HOME: '/4'});
	assert.deepEqual(userFolders(), {config: '/1/switchboard', cache: '/2/switchboard', data: '/3/switchboard', log: '/4/switchboard'});
});

test('an empty or relative folder in a variable is ignored, so that nothing comes into the current folder', {skip}, t => {
	setVariables(t, {HOME: '/home/ann', XDG_CONFIG_HOME: 'config', XDG_CACHE_HOME: './cache', XDG_DATA_HOME: '', XDG_STATE_HOME: '..'});
	assert.deepEqual(userFolders(), defaultsIn('/home/ann'));
});

test('with an empty or relative HOME they are in the home folder of the account', {skip}, t => {
	const {homedir} = os.userInfo();
	for (const HOME of ['', 'home', '.']) {
		setVariables(t, {...unset, HOME});
		assert.deepEqual(userFolders(), defaultsIn(homedir));
	}
});
