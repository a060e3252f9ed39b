// The dialog of settings.

import { choose, settings } from "../app/settings";
import { $ } from "../dom";
import { play } from "../sound";

const HASHES = [16, 64, 128, 256, 512, 1024];

/** Sets the dialog up; `onEngine` hears of other settings of the engine. */
export function listenSettings(onEngine: () => void): void {
    const dialog = $<HTMLDialogElement>("settings");
    $("open-settings").onclick = () => dialog.showModal();
    const [hash, sound] = [$<HTMLSelectElement>("hash"), $<HTMLInputElement>("sound")];
    for (const size of HASHES) hash.add(new Option(`${size} MB`, String(size)));
    hash.value = String(HASHES.includes(settings.hash) ? settings.hash : 64);
    hash.onchange = () => {
        choose({ hash: Number(hash.value) });
        onEngine();
    };
    sound.checked = settings.sound;
    sound.onchange = () => {
        choose({ sound: sound.checked });
        if (sound.checked) play("move");
    };
}
