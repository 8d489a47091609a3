/** What a promise gives within a time; `undefined` if it takes longer. */
export const inTime = async <Result>(result: Promise<Result>, milliseconds: number): Promise<Result | undefined> => {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(late.resolve, milliseconds, undefined);
	try {
		return await Promise.race([result, late.promise]);
	} finally {
		clearTimeout(timer);
	}
};
