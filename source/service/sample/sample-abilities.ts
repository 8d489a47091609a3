import {bedtimestory} from './abilities/bedtimestory.ts';
import {deskmusic} from './abilities/deskmusic.ts';
import {dinnerideas} from './abilities/dinnerideas.ts';
import {goodnight} from './abilities/goodnight.ts';
import {guestwifi} from './abilities/guestwifi.ts';
import {kitchentimer} from './abilities/kitchentimer.ts';
import {laundrywatch} from './abilities/laundrywatch.ts';
import {medicinetime} from './abilities/medicinetime.ts';
import {morninglights} from './abilities/morninglights.ts';
import {nightwatch} from './abilities/nightwatch.ts';
import {pantry} from './abilities/pantry.ts';
import {printerqueue} from './abilities/printerqueue.ts';
import {shoppinglist} from './abilities/shoppinglist.ts';
import {visitornotes} from './abilities/visitornotes.ts';
import {type SampleAbility} from './sample-ability.ts';

/** The abilities of the sample home in the order in which it got them. */
export const sampleAbilities: readonly SampleAbility[] = [
	morninglights,
	nightwatch,
	pantry,
	goodnight,
	shoppinglist,
	kitchentimer,
	dinnerideas,
	guestwifi,
	medicinetime,
	laundrywatch,
	deskmusic,
	printerqueue,
	visitornotes,
	bedtimestory,
];
