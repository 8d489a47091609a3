import {toSwitchboardError} from '../interface/errors.ts';
import {toPublicRecord, type Ability} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {readAndFind} from './find-records.ts';
import {printFields, type Field} from './output/fields.ts';
import {withService, type Service} from './with-service.ts';

/** The ability with this id, or with this name, whose id comes from the list. */
export const getAbility = async (context: Context, service: Service, word: string): Promise<Ability> => {
	if (/^(?:0|[1-9]\d{0,14})$/.test(word)) {
		try {
			context.showProgress(`Reading the ability ${word} …`);
			return await service.client.getAbility(Number(word), context.readSignal);
		} catch (error) {
			if (toSwitchboardError(error).kind !== 'not-found') {
				throw error;
			}

			// Digits may be a name as well.
		}
	}

	const {id} = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
	context.showProgress(`Reading the ability ${word} …`);
	return service.client.getAbility(id, context.readSignal);
};

const yesOrNo = (value: boolean | undefined): string | undefined => value === undefined ? undefined : (value ? 'yes' : 'no');

const fieldsOf = (ability: Ability): readonly Field[] => [
	['id', String(ability.id)],
	['name', ability.name],
	['category', ability.category],
	['installed', yesOrNo(ability.isInstalled)],
	['triggers', ability.triggerPhrases.join(', ')],
	['versions', ability.versions.map(({version, isEnabled}) => isEnabled ? `${version} (in use)` : version).join(', ')],
	['changed', ability.changedAt === undefined ? undefined : new Date(ability.changedAt).toISOString()],
	['description', ability.description],
];

export const defineGetAbility: DefineCommand = (parent, run) => parent
	.command('get')
	.description('show an ability')
	.argument('<ability>', 'an id, or a name in any case')
	.addHelpText('after', examples(
		['switchboard abilities get 8', 'by id'],
		['switchboard abilities get pantry --json', 'by name, as the service returned it'],
	))
	.action(run(async (context, word: string) => {
		const ability = await withService(context, async service => getAbility(context, service, word));
		if (context.options.isJson) {
			await context.printJson(toPublicRecord('abilities', ability));
		} else {
			printFields(context, fieldsOf(ability));
		}
	}));
