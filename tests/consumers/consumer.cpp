// SPDX-License-Identifier: MIT
// The same from C++: weft.h has C linkage and compiles without warnings.
#include <iostream>
#include <memory>
#include <vector>
#include <weft.h>

int main() {
    weft_desc desc{};
    desc.height = 4;
    desc.width = 5;
    desc.layout = WEFT_HALF;
    desc.strategy = "cpu";
    weft_plan *made = nullptr;
    if (weft_plan_create(&made, &desc) != WEFT_OK) {
        std::cerr << weft_last_error() << '\n';
        return 1;
    }
    std::unique_ptr<weft_plan, void (*)(weft_plan *)> plan(made, weft_plan_destroy);
    std::vector<float> image(20, 1.0f), spectrum(4 * 3 * 2);
    bool right = weft_forward_host(plan.get(), image.data(), spectrum.data()) == WEFT_OK &&
                 spectrum[0] == 20;
    std::cout << (right ? "ok" : "wrong") << '\n';
    return right ? 0 : 1;
}
