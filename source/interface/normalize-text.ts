/** No script puts more on one letter (Unicode's Stream-Safe Text Format, UAX #15, section 13). */
const marksAfterTheThirtieth = /(?<kept>\p{Mark}{30})\p{Mark}+/gu;

/**
A text in a normal form of Unicode, in linear time. `normalize` alone sorts the marks on a letter by comparing each with all
before it, which takes seconds for 20,000 of them; so of more than 30 in a row only the first 30 are kept.
*/
export const normalizeText = (text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string =>
	text.replaceAll(marksAfterTheThirtieth, '$<kept>').normalize(form);
