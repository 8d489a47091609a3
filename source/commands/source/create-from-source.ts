import type {PackedAbility} from '../../bundle/pack-ability.ts';
import type {ResourceList, UploadResult} from '../../client/client.ts';
import type {Ability} from '../../interface/records.ts';
import type {Context} from '../context.ts';
import {uploadAndLookUp} from '../send-upload.ts';
import type {Service} from '../with-service.ts';
import {uploadOf} from './upload-of.ts';

/**
Creates an ability from packed files. If no answer comes, the list says whether it was created.

@param before - the abilities before, among which there is none of that name.
@throws SwitchboardError with `isOutcomeUnknown` if it may still arrive.
*/
export const createFromSource = async (context: Context, service: Service, packed: PackedAbility, before: ResourceList<Ability>): Promise<UploadResult> =>
	uploadAndLookUp(context, service, uploadOf(packed), before);
