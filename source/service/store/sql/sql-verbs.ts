import {type Store} from '../store.ts';
import {abilityVerbs} from './abilities.ts';
import {accountVerbs} from './accounts.ts';
import {agentVerbs} from './agents.ts';
import {type Engine} from './engine.ts';
import {installedVerbs} from './installed.ts';
import {keyVerbs} from './keys.ts';
import {releaseVerbs} from './releases.ts';

/** The verbs of the store in SQL that every database understands. */
export const sqlVerbs = (engine: Engine, quotaBytes: number | undefined): Pick<Store, 'accounts' | 'agents' | 'abilities' | 'installed' | 'releases'> => ({
	accounts: {...accountVerbs(engine), ...keyVerbs(engine)},
	agents: agentVerbs(engine, quotaBytes),
	abilities: abilityVerbs(engine, quotaBytes),
	installed: installedVerbs(engine, quotaBytes),
	releases: releaseVerbs(engine, quotaBytes),
});
