import {useEffect, useState} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';

type Failure = {readonly session: ServiceSession; readonly error: SwitchboardError};

/**
A list as it is told to whoever is there. Each poll of a service that is away would say to a listener that the list is
read, and then again why it cannot be: there a failure stands until another answer has come.
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
			// The same one again is no reason to draw again.
			const isSame = before?.session === session && before.error.message === error?.message;
			return isSame ? before : (error && {session, error});
		});
	}, [isScreenReader, isReading, error, session]);
	const standing = isScreenReader && isReading && records === undefined && failure?.session === session ? failure.error : undefined;
	const heard = error ?? standing;
	return isScreenReader && heard !== undefined ? {...resource, error: heard, isReading: false} : resource;
};
