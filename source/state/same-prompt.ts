import {normalizeText} from '../interface/normalize-text.ts';
import {type Agent} from '../interface/records.ts';

/** A form changes line breaks to CRLF, and a service may store texts in a normal form of Unicode. */
const normalize = (prompt: string): string => normalizeText(prompt.replaceAll('\r\n', '\n'));

const promptOf = ({raw: {description}}: Agent): string | undefined => typeof description === 'string' ? description : undefined;

/**
Whether a service keeps the white space around a prompt, as far as its agents show. One that trims texts shows none anywhere.
*/
export const keepsWhitespace = (agents: readonly Agent[]): boolean => agents.some(agent => {
	const prompt = promptOf(agent);
	return prompt !== undefined && prompt !== prompt.trim();
});

/**
Whether an agent already has the prompt; false if the service does not show it. White space around it counts only where the
service is known to keep it: a final line break that the service drops would be sent at every run.
*/
export const hasPrompt = (agent: Agent, wanted: string, isWhitespaceKept: boolean): boolean => {
	const prompt = promptOf(agent);
	if (prompt === undefined) {
		return false;
	}

	const [is, shouldBe] = [normalize(prompt), normalize(wanted)];
	return is === shouldBe || (!isWhitespaceKept && is.trim() === shouldBe.trim());
};
