import type {PackedAbility} from '../../bundle/pack-ability.ts';
import type {AbilityUpload} from '../../client/client.ts';
import type {Context} from '../context.ts';

/** A packed ability as the client uploads it. */
export const uploadOf = ({
	zip, name, description, category, triggerPhrases, image,
}: PackedAbility): AbilityUpload => ({
	zip, name, description, category, triggerPhrases, image: image && {fileName: image.name, type: image.type, bytes: image.bytes},
});

/** Warns before the upload of an ability that nobody could start. */
export const warnOfSilentSkill = ({note}: Context, {name, category, triggerPhrases}: PackedAbility, advice: string): void => {
	if (category === 'skill' && triggerPhrases.length === 0) {
		note(`Warning: ${name} is a skill without trigger phrases, so nothing starts it. ${advice}`);
	}
};
