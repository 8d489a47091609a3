import {useEffect, useState} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';

type Failure = {readonly session: ServiceSession; readonly error: SwitchboardError};

/**
A list for a screen reader. Otherwise each poll of an unreachable service would announce that the list is being read, and
then again why it cannot be: so a failure stays until the next answer.
*/
export const useSpokenResource = <Record_>(resource: ResourceState<Record_>): ResourceState<Record_> => {
	const session = useServiceSession();
	const isScreenReader = useIsScreenReaderEnabled();
	const [failure, setFailure] = useState<Failure>();
	const {records, error, isReading} = resource;
	useEffect(() => {
		if (!isScreenReader || isReading) {
			return;
		}

		setFailure(before => {
			// The same failure again needs no drawing.
			const isSame = before?.session === session && before.error.message === error?.message;
			return isSame ? before : (error && {session, error});
		});
	}, [isScreenReader, isReading, error, session]);
	const standing = isScreenReader && isReading && records === undefined && failure?.session === session ? failure.error : undefined;
	const spoken = error ?? standing;
	return isScreenReader && spoken !== undefined ? {...resource, error: spoken, isReading: false} : resource;
};
